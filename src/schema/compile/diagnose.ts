import { isObject, quote, startBudget } from '../../json/index.js';
import { bindKeywords, note, type Report } from './bind.js';
import type { Diagnostic } from '../keywords/keyword.js';
import { dialectByUri } from '../dialects/index.js';
import type { PlacedNode } from './node.js';
import type { Registry } from './registry.js';

const diagnosticLimit = 100;

/** Schemas looked at, and how long; a schema that takes more is reported as too large. */
const schemaLimit = 20_000;
const msLimit = 300;

/** Steps that one schema counts for, so that the clock is looked at every few schemas. */
const schemaSteps = 64;

/** Everything that is wrong or odd in a schema, wherever it stands: compiles each of its subschemas once more. */
export function diagnose(registry: Registry): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let more = 0;
  const report: Report = (make) => {
    if (found.length < diagnosticLimit) found.push(make());
    else more++;
  };
  const { root } = registry.main;
  reportRoot(root, registry, report);
  const waiting: PlacedNode[] = [root];
  const budget = startBudget({ steps: Infinity, ms: msLimit });
  let seen = 0;
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (++seen > schemaLimit || !budget.consume(schemaSteps)) {
      const message = `The schema is too large to examine as a whole: only ${seen - 1} of its subschemas were examined.`;
      report(() => note('schema-too-large', '#', message));
      break;
    }
    bindKeywords(node, registry, report);
    const children: PlacedNode[] = [];
    for (const child of node.subschemas()) {
      if (seen + children.length > schemaLimit) break;
      children.push(child.settle());
    }
    for (const child of children.reverse()) waiting.push(child);
  }
  if (more > 0) found.push(note('more', '#', `${more} more diagnostics are not listed.`));
  return found;
}

function reportRoot(root: PlacedNode, registry: Registry, report: Report): void {
  const { schema } = root;
  if (!isObject(schema)) return;
  const declared = schema['$schema'];
  if (declared === undefined) return;
  if (typeof declared === 'string' && (dialectByUri(declared) ?? registry.dialectNamed(declared))) return;
  const name = typeof declared === 'string' ? quote(declared) : 'a value that is not a string';
  const message = `"$schema" is ${name}, which is not a known dialect; the schema is read as ${root.resource.dialect.name}.`;
  report(() => note('unknown-dialect', '#/$schema', message));
}
