import { filtered, grouped, hexOf, isObject, listOf, pointerToken, propertiesOf } from '../../json/index.js';
import { sha256, type JsonObject } from '../../json/index.js';
import { rootKeywords } from './openai.js';
import { combinators, ruleOf, type ProviderRule } from './provider.js';

export const anthropic: readonly ProviderRule[] = [
  ruleOf('anthropic', 'moonshot')(
    'root-combinator',
    'rejects anyOf, oneOf and allOf at the root, and LangChain drops such a tool for Anthropic',
    {
      evidence: 'reported: senpi#1947 (Bedrock), google-calendar-mcp#39, kimi-code#2661',
      ...rootKeywords(combinators),
      effect: 'dropped',
    },
  ),
  ruleOf('anthropic')(
    'property-name',
    'takes only letters, digits, "_", "." and "-" in the name of a parameter, at most 64',
    {
      evidence:
        'reported: claude-code#79418, composio#3500, hermes#63441; names within are not checked: aws-solutions idp#709',
      isOfRoot: true,
      faults: (schema) => [...legalNames(schema).keys()].map((name) => `properties/${pointerToken(name)}`),
      // Its adaptation is `withLegalNames`: the names in the model's arguments have to be restored.
    },
  ),
];

function isLegal(name: string): boolean {
  return /^[a-zA-Z0-9_.-]{1,64}$/.test(name);
}

/** The replacement for each rejected name. It does not depend on the other names. */
export function legalNames(schema: JsonObject): ReadonlyMap<string, string> {
  const all = Object.keys(propertiesOf(schema));
  const spelt = (name: string) => (isLegal(name) ? name : name.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, 64));
  const taken = grouped(all, spelt);
  return new Map(
    all.flatMap((name) => {
      if (isLegal(name)) return [];
      const hash = hexOf(sha256(name)).slice(0, 8);
      const isFree = taken.get(spelt(name))?.length === 1 && spelt(name) !== '';
      return [[name, isFree ? spelt(name) : `${spelt(name).slice(0, 55)}_${hash}`]];
    }),
  );
}

/** The root with accepted names. Keywords that use the old names are removed: they would reject the new ones. */
export function withLegalNames(schema: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const { required } = schema;
  const isOpen = 'patternProperties' in schema || 'unevaluatedProperties' in schema;
  const kept = filtered(
    schema,
    (keyword) => keptBeside.has(keyword) && !(isOpen && keyword === 'additionalProperties'),
  );
  const renamed = (name: unknown) => names.get(String(name)) ?? name;
  return {
    ...kept,
    properties: Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, part]) => [renamed(name), part])),
    ...(required !== undefined && { required: listOf(required).map(renamed) }),
  };
}

const keptBeside: ReadonlySet<string> = new Set([
  ...['$schema', '$defs', 'definitions', 'type', 'title', 'description', 'additionalProperties'],
  ...['minProperties', 'maxProperties'],
]);

/** The arguments under the names that the server knows. */
export function withOriginalNames(args: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isObject(args)) return args;
  const originals = new Map([...names].map(([name, sent]) => [sent, name]));
  const nameOf = (sent: string) => {
    const name = originals.get(sent);
    return name === undefined || Object.hasOwn(args, name) ? sent : name;
  };
  if (!Object.keys(args).some((sent) => nameOf(sent) !== sent)) return args;
  return Object.fromEntries(Object.entries(args).map(([sent, value]) => [nameOf(sent), value]));
}
