import { isObject, pointerTokens, visibleLine } from '../json/index.js';
import { signature } from '../projections/index.js';
import { mayBeLeftOut, speaksOfClearing } from '../repair/index.js';
import { schemaWanted, typesWanted, type Violation } from '../schema/index.js';
import { hideSecretsIn } from '../secrets/index.js';

export interface RefusingTool {
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
}

/** What models do again when they are only shown which type was wanted; empty where nothing is to be added. */
export function adviceOn(tool: RefusingTool, summary: readonly Violation[]): string {
  if (summary.some(isTextOfParts)) return ` Send a list or an object itself, not its text.${shapes(tool, summary)}`;
  const isAbsent = summary.some((violation) => isAbsentValue(violation, tool));
  return `${isAbsent ? ' Leave out optional parameters that have no value.' : ''}${shapes(tool, summary)}`;
}

function isTextOfParts(violation: Violation): boolean {
  const { value } = violation.received;
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value.slice(0, 100))) return false;
  return typesWanted(violation).some((type) => type === 'array' || type === 'object');
}

const shapeLimit = 2;

const shapeLength = { text: 240, name: 100 };

function shapes(tool: RefusingTool, summary: readonly Violation[]): string {
  const all = summary.flatMap((violation) => {
    const path = pointerTokens(violation.instanceLocation);
    if (violation.property !== undefined) path.push(violation.property);
    const wanted = path.length === 0 ? wholeWanted(tool, violation) : schemaWanted(violation);
    const isWrong =
      violation.expectation.kind === 'missing' || !violation.expectedTypes?.includes(violation.received.type);
    if (!isWrong || !wanted || !typesWanted(violation).some((type) => type === 'object' || type === 'array')) return [];
    const { schema, root } = wanted;
    const options = { root, maxLength: shapeLength.text };
    const text = signature({ inputSchema: { properties: { is: schema }, required: ['is'] } }, options).slice(
      'is: '.length,
    );
    const name = visibleLine(hideSecretsIn(path.join('.'))).slice(0, shapeLength.name);
    return text.includes('{') ? [` ${name === '' ? 'The arguments' : name}: ${visibleLine(text)}`] : [];
  });
  const shown = [...new Set(all)].slice(0, shapeLimit);
  return shown.length === 0 ? '' : ` Expected:${shown.join(';')}.`;
}

function wholeWanted(
  { inputSchema }: RefusingTool,
  violation: Violation,
): { schema: unknown; root: unknown } | undefined {
  const isNone = violation.received.type !== 'object' && inputSchema !== undefined;
  return isNone ? { schema: inputSchema, root: inputSchema } : undefined;
}

/** Whether null was sent for an optional parameter, of which nothing says that it may mean something. */
function isAbsentValue({ received, instanceLocation }: Violation, tool: RefusingTool): boolean {
  const name = pointerTokens(instanceLocation).at(-1);
  if (received.type !== 'null' || name === undefined || /^\d+$/.test(name) || !isObject(tool.inputSchema)) return false;
  return (
    mayBeLeftOut(tool.inputSchema, instanceLocation) &&
    !speaksOfClearing(typeof tool.description === 'string' ? tool.description : '')
  );
}
