import { isOwnInstance, ownClass } from '../json/index.js';
import type { JsonType } from '../json/index.js';
import { isObject, jsonPointer, pointerTokens, quote, shortened, typeOf, visibleLine } from '../json/index.js';
import { shapeOf } from '../projections/index.js';
import { mayBeLeftOut } from '../repair/index.js';
import type { Violation } from '../schema/index.js';
import { schemaWanted, startReading, summarizedViolations, summaryLines, typesWanted } from '../schema/index.js';
import { hidden, hideSecretsIn, shownValue } from '../secrets/index.js';

interface RefusingTool {
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
}

/** One thing wrong with the arguments, for programs. */
export interface ReportedViolation {
  /** The parameter as a person would name it: `limit`, `queries[0].ageMin`; empty for the arguments as a whole. */
  readonly parameter: string;
  /** The same as JSON Pointer (RFC 6901): `/queries/0/ageMin`. */
  readonly location: string;
  /** The types that the schema asks for there; empty if it names none. */
  readonly expectedTypes: readonly JsonType[];
  /** `missing` for a required parameter that did not come. */
  readonly receivedType: JsonType | 'missing';
  /** The received value, shortened; masked if it is likely to be a secret; absent if nothing was received. */
  readonly receivedValue?: unknown;
  readonly message: string;
}

/** The stable, structured form of a refusal. */
export interface InvalidArgumentsReport {
  readonly status: 'error';
  readonly code: 'INVALID_ARGUMENTS';
  readonly tool: string;
  readonly violations: readonly ReportedViolation[];
}

/** The reason for a rejection: the schema's violations, or why the arguments could not be validated. */
type Refusal =
  | {
      readonly outcome: 'invalid';
      readonly violations: readonly Violation[];
      readonly truncated: boolean;
    }
  | {
      readonly outcome: 'undetermined';
      readonly message: string;
      readonly instanceLocation: string;
      readonly value: unknown;
    };

/**
 * Arguments that the tool's input schema rejects, or that could not be validated. The call has not been made. The message
 * is for a model; its title, reasons and advice are there for hosts that write their own.
 */
export class InvalidArgumentsError extends Error {
  /** @internal */
  static readonly [ownClass] = 'InvalidArgumentsError';
  override readonly name = 'InvalidArgumentsError';
  readonly code = 'INVALID_ARGUMENTS';
  /** The tool's name at its server. */
  declare readonly tool: string;
  /** 'invalid' if the schema rejected the arguments, 'undetermined' if they could not be validated. */
  declare readonly outcome: 'invalid' | 'undetermined';
  declare readonly title: string;
  /** The problems, one line each, the most useful first. */
  declare readonly reasons: readonly string[];
  /** Advice on what to do; undefined if there is none. */
  declare readonly advice: string | undefined;
  /** The schema's violations. The values in them are the received ones; the texts hide values that may be secrets. */
  declare readonly violations: readonly Violation[];
  /** The same for programs, and safe to be logged: values that may be secrets are masked. */
  declare readonly report: InvalidArgumentsReport;

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  /** @internal */
  constructor(tool: RefusingTool, refusal: Refusal) {
    const violations = refusal.outcome === 'invalid' ? refusal.violations : [];
    const summary = summarizedViolations(violations);
    const title = `Invalid arguments for tool ${quote(shortened(tool.name, 100), 100)}. The tool was not called.`;
    const { reasons, advice } = textsOf(tool, refusal, summary);
    super([title, ...reasons.map((reason) => `- ${reason}`), ...(advice === undefined ? [] : [advice])].join('\n'));
    const report = { status: 'error', code: this.code, tool: tool.name, violations: reports(refusal, summary) };
    Object.assign(this, { tool: tool.name, outcome: refusal.outcome, title, reasons, advice, report });
    // Loggers print an error's own enumerable properties; these contain unmasked values.
    Object.defineProperty(this, 'violations', { value: violations, enumerable: false });
  }
}

const maxLines = 25;

function textsOf(
  tool: RefusingTool,
  refusal: Refusal,
  summary: readonly Violation[],
): Pick<InvalidArgumentsError, 'reasons' | 'advice'> {
  if (refusal.outcome === 'invalid') {
    const reasons = summaryLines(summary, { limit: maxLines, truncated: refusal.truncated });
    return { reasons, advice: `Correct them and call it again.${adviceOn(tool, summary)}` };
  }
  const { message, instanceLocation } = refusal;
  const isWhole = instanceLocation === '';
  const place = isWhole ? 'the arguments are' : `${visibleLine(shortened(instanceLocation, 200))} is`;
  return {
    reasons: [`Could not check whether ${place} valid. ${message}`],
    advice: isWhole ? undefined : 'If that parameter is optional, leave it out.',
  };
}

function reports(refusal: Refusal, summary: readonly Violation[]): ReportedViolation[] {
  if (refusal.outcome === 'undetermined') {
    const { instanceLocation, value, message } = refusal;
    const path = pointerTokens(instanceLocation);
    const receivedValue = shownValue(value, path);
    return [{ ...placeOf(path), expectedTypes: [], receivedType: typeOf(value), receivedValue, message }];
  }
  // The same value may be refused in many ways, and looking through a large one is work.
  const known = new Map<unknown, unknown>();
  const shown = (value: unknown) => {
    if (!known.has(value)) known.set(value, shownValue(value));
    return known.get(value);
  };
  return summary.map((violation) => report(violation, shown));
}

/** A property that is missing or unwanted is reported at its own place, not at the object's. */
function report(violation: Violation, shown: (value: unknown) => unknown): ReportedViolation {
  const { instanceLocation, message, property, received } = violation;
  const path = pointerTokens(instanceLocation);
  if (property !== undefined) path.push(property);
  const place = placeOf(path);
  const expectedTypes = typesWanted(violation);
  if (property === undefined) {
    const receivedValue = received.text === hidden ? hidden : shown(received.value);
    return { ...place, expectedTypes, receivedType: received.type, receivedValue, message };
  }
  if (!isObject(received.value) || !Object.hasOwn(received.value, property))
    return { ...place, expectedTypes, receivedType: 'missing', message };
  const value = received.value[property];
  return { ...place, expectedTypes: [], receivedType: typeOf(value), receivedValue: shownValue(value, path), message };
}

/** Characters of a place: a report is for logs, and names are as long as strangers like. */
const placeLength = 1_000;

function placeOf(path: readonly string[]): Pick<ReportedViolation, 'parameter' | 'location'> {
  const text = (place: string) => hideSecretsIn(shortened(place, placeLength));
  return { parameter: text(parameterName(path)), location: text(jsonPointer(path)) };
}

/** `queries[0].ageMin` */
function parameterName(path: readonly string[]): string {
  return path.reduce((name, token) => {
    if (name === '') return token;
    return /^[0-9]+$/.test(token) ? `${name}[${token}]` : `${name}.${token}`;
  }, '');
}

/** Advice against mistakes that models repeat if they only read the expected type. Empty if there is none. */
function adviceOn(tool: RefusingTool, summary: readonly Violation[]): string {
  if (summary.some(isTextOfParts)) return ` Send a list or an object itself, not its text.${shapes(tool, summary)}`;
  const isAbsent = summary.some((violation) => isAbsentValue(violation, tool));
  return `${isAbsent ? ' Leave out optional parameters that have no value.' : ''}${shapes(tool, summary)}`;
}

function isTextOfParts(violation: Violation): boolean {
  const { value } = violation.received;
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value.slice(0, 100))) return false;
  return typesWanted(violation).some((type) => type === 'array' || type === 'object');
}

const shapeLimits = { count: 8, text: 800, all: 1_600, name: 100 };

/** The shapes of missing and wrong values, if they say more than the lines do. */
function shapes(tool: RefusingTool, summary: readonly Violation[]): string {
  const { budget } = startReading(undefined);
  const shown = new Set<string>();
  let length = 0;
  for (const { path, schema, root } of summary.flatMap((violation) => wantedBy(violation, tool))) {
    if (shown.size === shapeLimits.count || budget.exhausted) break;
    const text = shapeOf(schema, { root, budget }, shapeLimits.text);
    const name = visibleLine(hideSecretsIn(path.join('.'))).slice(0, shapeLimits.name);
    const shape = ` ${name === '' ? 'The arguments' : name}: ${text}`;
    if (!saysMore(text) || shown.has(shape) || (length += shape.length) > shapeLimits.all) continue;
    shown.add(shape);
  }
  return shown.size === 0 ? '' : ` Expected:${[...shown].join(';')}.`;
}

/** True if a shape says more than the types or values that its line names: members, bounds, lists within lists. */
function saysMore(shape: string): boolean {
  const plain = shape.replaceAll(/"(?:[^"\\]|\\.)*"| \(≤ \d+ (?:characters?|items?)\)/g, '');
  return /\{(?!…\})|[≥≤<>]|\.\.|\[[^\]]|\[\]\[|[a-z] \(/.test(plain);
}

/** Characters of a pattern beyond which an example of a text helps more. */
const readablePattern = 60;

interface Wanted {
  readonly path: readonly string[];
  readonly schema: unknown;
  readonly root: unknown;
}

function wantedBy(violation: Violation, { inputSchema }: RefusingTool): readonly Wanted[] {
  const { expectation, received } = violation;
  const path = pointerTokens(violation.instanceLocation);
  const wanted = schemaWanted(violation);
  if (!wanted) return [];
  const { schema, root } = wanted;
  if (expectation.kind === 'missing') return [{ path: [...path, expectation.property], schema, root }];
  if (expectation.kind === 'missing-one')
    return expectation.sets.flat().map((each) => ({ path: [...path, each.property], schema: each.schema, root }));
  const isTooShort = expectation.kind === 'count' && expectation.noun === 'item' && expectation.bound === 'at least';
  const isUnread = expectation.kind === 'pattern' && expectation.source.length > readablePattern;
  const isWrong =
    isTooShort ||
    isUnread ||
    expectation.kind === 'alternatives' ||
    violation.expectedTypes?.includes(received.type) === false;
  if (!isWrong) return [];
  if (path.length > 0) return [{ path, schema, root }];
  return inputSchema === undefined ? [] : [{ path, schema: inputSchema, root: inputSchema }];
}

/** True if null was sent for an optional parameter to which null means nothing. */
function isAbsentValue({ received, instanceLocation }: Violation, tool: RefusingTool): boolean {
  const name = pointerTokens(instanceLocation).at(-1);
  if (received.type !== 'null' || name === undefined || /^\d+$/.test(name)) return false;
  return mayBeLeftOut(tool, instanceLocation);
}
