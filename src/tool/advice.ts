import {
  isList,
  isObject,
  type JsonObject,
  pointerTokens,
  resolveLocalReference,
  startBudget,
  visibleLine,
  type WorkBudget,
} from '../json/index.js';
import { signature } from '../projections/index.js';
import { leafViolations, schemaWanted, typesWanted, type Violation } from '../schema/index.js';
import { hideSecretsIn } from '../secrets/index.js';

/** What is known of a tool whose arguments are refused; without its schema, less is said. */
export interface RefusingTool {
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
}

/** What models do again when they are only told which type was wanted; empty where nothing is to be added. */
export function adviceOn(tool: RefusingTool, violations: readonly Violation[]): string {
  const leaves = leafViolations(violations);
  if (leaves.some(isTextOfParts)) return ` Send a list or an object itself, not its text.${shapes(tool, leaves)}`;
  const isAbsent = leaves.some((violation) => isAbsentValue(violation, tool));
  return `${isAbsent ? ' Leave out optional parameters that have no value.' : ''}${shapes(tool, leaves)}`;
}

function isTextOfParts(violation: Violation): boolean {
  const { value } = violation.received;
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value.slice(0, 100))) return false;
  return typesWanted(violation).some((type) => type === 'array' || type === 'object');
}

/** Shapes that are shown. */
const shapeLimit = 2;

/** Characters of one, and of the name before it. */
const shapeLength = { text: 240, name: 100 };

/** What an object should look like that is missing, or is none. */
function shapes(tool: RefusingTool, leaves: readonly Violation[]): string {
  const all = leaves.flatMap((violation) => {
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
  const path = pointerTokens(instanceLocation);
  const name = path.at(-1);
  if (received.type !== 'null' || name === undefined || /^\d+$/.test(name) || !isObject(tool.inputSchema)) return false;
  if (speaksOfNull(tool)) return false;
  const work = startBudget({ steps: schemasAt, ms: Infinity });
  const holders = path
    .slice(0, -1)
    .reduce(
      (schemas, step) => membersAt(schemas, step, tool.inputSchema, work),
      partsOf([tool.inputSchema], tool.inputSchema, work),
    );
  const isRequired = holders.some(({ required }) => isList(required) && required.includes(name));
  const own = membersAt(holders, name, tool.inputSchema, work);
  return !isRequired && !work.exhausted && !own.some((schema) => speaksOfNull(schema) || mentionsNull(schema));
}

/** Schemas that are looked through for what they say of null. */
const schemasAt = 1_000;

/** The schemas that these apply to a member or an item. */
function membersAt(
  schemas: readonly JsonObject[],
  step: string,
  root: unknown,
  work: WorkBudget,
): readonly JsonObject[] {
  const members = schemas.flatMap(({ properties, items, additionalProperties }) => {
    if (isObject(properties) && Object.hasOwn(properties, step)) return [properties[step]];
    return /^\d+$/.test(step) && items !== undefined ? [items] : [additionalProperties];
  });
  return partsOf(members, root, work);
}

/** Schemas with those that they lead to at the same place. */
function partsOf(schemas: readonly unknown[], root: unknown, work: WorkBudget): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const waiting = [...schemas];
  while (waiting.length > 0 && work.consume(1)) {
    const next = waiting.pop();
    if (!isObject(next) || found.has(next)) continue;
    found.add(next);
    if (typeof next['$ref'] === 'string') waiting.push(resolveLocalReference(root, next['$ref']));
    for (const more of [next['anyOf'], next['oneOf'], next['allOf']]) if (isList(more)) waiting.push(...more);
  }
  return [...found];
}

/** Whoever sends what is the default means the same as whoever leaves it out. */
const nullByDefault = /\bdefaults?\b(?: value)?(?: is| to|:|=)? ?["'`]?(?:null|none)\b/gi;

const aboutNull = /\b(?:nulls?|none|nil|(?:clear|unset|reset|delet|eras|remov)(?:s|e|es|ed|ing|al|t?ting)?)\b/i;

function speaksOfNull({ description }: { readonly description?: unknown }): boolean {
  return typeof description === 'string' && aboutNull.test(description.replace(nullByDefault, ''));
}

function mentionsNull({ type, nullable, const: constant, enum: values }: JsonObject): boolean {
  if (nullable === true || constant === null || type === 'null') return true;
  return (isList(type) && type.includes('null')) || (isList(values) && values.includes(null));
}
