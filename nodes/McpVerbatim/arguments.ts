import type { IExecuteFunctions } from 'n8n-workflow';
import type { CatalogueTool, FormField } from '../../src/internal.js';
import { formArgumentsText, formFields, FormValueError } from '../../src/internal.js';
import {
  equals,
  isList,
  isObject,
  jsonText,
  mayBeRounded,
  numberIn,
  parseJson,
  shortened,
} from '../../src/json/index.js';
import { inertJson, textOfValue } from '../editor/gate.js';
import { SetupError } from '../errors.js';
import { hintList } from '../hints.js';
import { enumerate } from '../text.js';
import { choiceIn, membersIn, objectIn } from '../values.js';
import { argumentsMode } from './description.js';

interface GivenArguments {
  readonly args: object;
  readonly argumentsText?: string;
  /** Path of an integer that an expression gave and may have rounded. */
  readonly roundedArgument?: string | undefined;
}

export function readArguments(context: IExecuteFunctions, itemIndex: number, tool: CatalogueTool): GivenArguments {
  const given = givenArguments(context, itemIndex, tool);
  const args = objectIn({ arguments: given }, { displayName: 'Arguments', name: 'arguments' });
  if (typeof given !== 'string' || given.trim() === '') return { args };
  const typed = jsonText(context.getNode().parameters);
  const isGiven = (number: number) => given.includes(String(number)) && !typed.includes(String(number));
  const roundedArgument = numberIn(args, (number) => mayBeRounded(number) && isGiven(number));
  return { args, argumentsText: given, roundedArgument };
}

function givenArguments(context: IExecuteFunctions, itemIndex: number, tool: CatalogueTool): unknown {
  const mode = context.getNodeParameter(argumentsMode.name, itemIndex, argumentsMode.default);
  if (choiceIn(argumentsMode, mode) === 'form') return formValues(context, itemIndex, tool);
  const { typed, began, values } = readFormContents(context, itemIndex, 'jsonArguments');
  if (isSample(typed['arguments'], began.get('arguments')))
    throw new SetupError(
      'The arguments are still the example',
      'The tool was not called. Write your own arguments in its place. ' +
        'To send the example itself, give it as an expression: {{ {…} }}.',
    );
  return values['arguments'] ?? '{}';
}

/** n8n's own checks of a form do not count: the tool's schema decides. */
function formValues(context: IExecuteFunctions, itemIndex: number, tool: CatalogueTool): string {
  const contents = readFormContents(context, itemIndex, 'form');
  const { typed } = contents;
  const fields = formFields(tool);
  const byName = new Map(fields.map((field) => [field.name, field]));
  refuseUntouched(contents, fields);
  // The form keeps its values when another server is chosen, whose tool of the same name may take other arguments.
  const unknown = Object.keys(typed).filter((key) => !byName.has(key));
  const what = `The form has values that are no arguments of "${tool.name}". Choose "Refresh argument list" in the menu of Argument Values`;
  hintList(context, 'warning', what, unknown);
  try {
    return formArgumentsText(fields, givenValues(contents, byName), { timeZone: context.getTimezone() });
  } catch (error) {
    const field = error instanceof FormValueError && byName.get(error.field);
    throw field ? formError(error, field, typed[field.name]) : error;
  }
}

function refuseUntouched({ typed, began }: FormContents, fields: readonly FormField[]): void {
  // A field for JSON begins with a sample, which nobody means to send.
  const samples = fields.filter(
    ({ name, default: standard }) => standard === undefined && isSample(typed[name], began.get(name)),
  );
  if (samples.length > 0)
    throw new SetupError(
      `The form still holds sample data: ${enumerate(samples.map(({ title }) => title))}`,
      'The tool was not called. Replace the sample with your own value, or remove the field if it is optional. ' +
        'To send the sample itself, give the arguments as JSON.',
    );
}

/** n8n writes null into every empty field: null counts only if the argument is required and allows it. */
function givenValues({ values }: FormContents, fields: ReadonlyMap<string, FormField>): Record<string, unknown> {
  const given = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const field = fields.get(name);
    if (value === null && !(field?.required && field.nullable)) return [];
    return [[name, typeof value === 'string' && field?.type === 'options' ? textOfValue(value) : value]];
  });
  return Object.fromEntries(given);
}

type FormContents = ReturnType<typeof readFormContents>;

function readFormContents(context: IExecuteFunctions, itemIndex: number, parameter: string) {
  const typed: unknown = context.getNode().parameters[parameter];
  const schema = isObject(typed) && isList(typed['schema']) ? typed['schema'].filter(isObject) : [];
  return {
    typed: membersIn(typed, 'value'),
    began: new Map(schema.map(({ id, defaultValue }) => [id, defaultValue])),
    /** Values by field, evaluated on demand: a form may hold text that must not be evaluated. */
    get values() {
      return membersIn(context.getNodeParameter(parameter, itemIndex, {}), 'value');
    },
  };
}

/** True if a field still holds its sample. An empty object or list may be meant, and does not count. */
function isSample(typed: unknown, began: unknown): boolean {
  const value = jsonIn(typed);
  return value !== undefined && Object.keys(value).length > 0 && equals(value, jsonIn(began));
}

function jsonIn(text: unknown): object | undefined {
  const value = typeof text === 'string' ? parseJson(text.replace(/^=/, '')) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** @param typed the text in the panel; the values of its expressions may be secret */
export function formError(
  { message, expected }: FormValueError,
  { example }: Pick<FormField, 'example'>,
  typed: unknown,
): SetupError {
  const text = typeof typed === 'string' ? typed.replace(/^=/, '') : '';
  const holds = text === '' ? [] : [`The field holds: ${shortened(onOneLine(text), 200)}`];
  if (expected === 'date' || expected === 'number')
    return new SetupError(message, [...holds, advice[expected]].join('\n'));
  const dragged = /\{\{([^]*?)\}\}/.exec(text)?.[1]?.trim();
  const sample = example ?? (expected === 'array' ? [] : {});
  const lines = [
    ...holds,
    `Expected: an ${expected}, such as ${shortened(spaced(sample), 200)}`,
    ...(dragged === undefined ? [] : expressionsWith(dragged, sample, expected)),
  ];
  return new SetupError(message, lines.join('\n'));
}

const advice = {
  date: 'Expected: a date such as 2026-01-31. Anything else can be given with all arguments as JSON.',
  number: 'Give it as an expression with a text, {{ "900719925474099312" }}, or give all arguments as JSON.',
};

function expressionsWith(dragged: string, sample: unknown, expected: string): string[] {
  const whole = `If the value is an ${expected} already: {{ ${dragged} }}`;
  if (isList(sample)) return [`If the value is one entry of it: {{ [ ${dragged} ] }}`, whole];
  const [first, ...others] = isObject(sample) ? Object.entries(sample) : [];
  if (!first) return [whole];
  const name = inertJson(JSON.stringify(first[0]));
  const members = [`${name}: ${dragged}`, ...others.map(([key, value]) => spaced({ [key]: value }).slice(2, -2))];
  return [`If the value is its ${name}: {{ { ${members.join(', ')} } }}`, whole];
}

/** JSON with spaces, because `}}` would end an expression. */
function spaced(value: unknown): string {
  return onOneLine(inertJson(JSON.stringify(value, null, 1)));
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
