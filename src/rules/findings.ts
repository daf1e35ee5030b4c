import { counted, isObject, isText, pointerToken, subschemaShape, visibleLine, walkSchemas } from '../json/index.js';
import type { JsonObject } from '../json/index.js';
import { type Catalogue, type CatalogueTool, invisibleIn, type Note } from '../mcp/index.js';
import { manyTokens, toolTokens } from '../toolset/index.js';
import { type Provider, providerNotes } from '../projections/index.js';
import { modelTools } from '../tool/index.js';
import { type Level, type RuleId, ruleOfNote, rules } from './rules.js';

export interface Finding {
  readonly rule: RuleId;
  readonly level: Level;
  readonly subject: 'schema' | Provider;
  /** The tool's name at the server; absent if the finding is about all tools or the server. */
  readonly tool?: string;
  readonly message: string;
  /** In the input schema, as a JSON Pointer fragment. */
  readonly location?: string;
}

const manyForOne = 1_000;

/** The findings for a server's author, by the rules of `docs/rules.md`; with `providers`, by their rules, too. */
export function findingsIn(
  { instructions = '', serverInfo = {}, tools, skipped }: Catalogue,
  providers: readonly Provider[] = [],
): Finding[] {
  const ofSkipped = skipped.map(({ name, position, reason }) =>
    finding('skipped-tool', { name: name ?? `tool ${position + 1}` }, reason),
  );
  const ofServer = invisibleIn({ instructions, serverInfo }).map((note) => finding('invisible-characters', {}, note));
  const own = tools.flatMap((tool) => [
    ...tool.notes.flatMap((note) => noted(tool, note, note.code)),
    ...missing(tool),
    ...costAndName(tool),
    ...providers.flatMap((provider) =>
      providerNotes(tool, provider, undefined, 'langchain').flatMap((note) =>
        noted(tool, note, `${provider}-${note.code}`, provider),
      ),
    ),
  ]);
  const tokens = toolTokens(modelTools(tools));
  const message = `The definitions of all ${counted(tools.length, 'tool')} take about ${tokens} tokens.`;
  return [...ofSkipped, ...ofServer, ...own, ...(tokens > manyTokens ? [finding('token-cost', {}, { message })] : [])];
}

function noted(tool: CatalogueTool, note: Note, code: string, subject: Finding['subject'] = 'schema'): Finding[] {
  const rule = ruleOfNote(code);
  const found = finding(rule, tool, note, subject);
  // A model loses nothing without `$schema`.
  const isHarmless = rule === 'google-removed-keyword' && note.schemaLocation?.endsWith('/$schema') === true;
  return [isHarmless ? { ...found, level: 'note' } : found];
}

function finding(
  rule: RuleId,
  { name }: { readonly name?: string },
  { message, schemaLocation }: Pick<Note, 'message' | 'schemaLocation'>,
  subject: Finding['subject'] = 'schema',
): Finding {
  return {
    rule,
    level: rules[rule]?.level ?? 'error',
    subject,
    ...(name !== undefined && { tool: name }),
    message: visibleLine(message),
    ...(schemaLocation !== undefined && { location: schemaLocation }),
  };
}

function* missing(tool: CatalogueTool): Generator<Finding> {
  if ((tool.description ?? '').trim() === '')
    yield finding('missing-description', tool, { message: 'The tool has no description.' });
  const all = [...argumentsIn(tool.inputSchema)];
  for (const [rule, what, says] of lacks) {
    const saying = new Set(all.filter(({ part }) => says(part)).map(({ name }) => name));
    const lacking = all.filter(({ name, part, isCondition }) => {
      // In a condition or an alternative, an argument may lack a keyword that another place has.
      return part['$ref'] === undefined && !says(part) && !(isCondition && saying.has(name));
    });
    const [first] = lacking;
    if (!first) continue;
    const places = lacking.slice(0, 5).map(({ place }) => place);
    const shown = places.join(', ') + (lacking.length > 5 ? ', …' : '');
    const message = `${counted(lacking.length, 'argument')} without ${what}: ${shown}`;
    yield finding(rule, tool, { message, schemaLocation: first.place });
  }
}

const typing = 'type enum const $ref $dynamicRef $recursiveRef anyOf oneOf allOf not if'.split(' ');

const lacks = [
  ['missing-type', 'a type', (schema: JsonObject) => typing.some((keyword) => schema[keyword] !== undefined)],
  [
    'missing-argument-description',
    'a description',
    ({ description }: JsonObject) => isText(description) && description.trim() !== '',
  ],
] as const;

interface Argument {
  readonly name: string;
  readonly place: string;
  readonly part: JsonObject;
  readonly isCondition: boolean;
}

/** Every declaration of an argument; `false` forbids one. */
function* argumentsIn(inputSchema: unknown): Generator<Argument> {
  for (const { schema, location } of walkSchemas(inputSchema)) {
    const { properties } = schema;
    if (subschemaShape('properties', properties) !== 'members') continue;
    const isCondition = conditional.test(location);
    for (const [name, part] of Object.entries(properties as JsonObject)) {
      // an object, by its shape
      const place = `${location}/properties/${pointerToken(name)}`;
      if (part !== false) yield { name, place, part: isObject(part) ? part : {}, isCondition };
    }
  }
}

const conditional = /\/(?:(?:allOf|anyOf|oneOf)\/\d+|if|then|else|not|dependentSchemas\/[^/]*)(?:\/|$)/;

function* costAndName(tool: CatalogueTool): Generator<Finding> {
  const models = modelTools([tool]);
  const tokens = toolTokens(models);
  if (tokens > manyForOne)
    yield finding('token-cost', tool, { message: `Its definition takes about ${tokens} tokens.` });
  const name = models[0]?.name ?? tool.name;
  const isNoted = tool.notes.some(({ code }) => code === 'unusual-name');
  if (name !== tool.name && !isNoted) yield finding('tool-name', tool, { message: `Models see the name "${name}".` });
}
