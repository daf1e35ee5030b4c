import { isObject, pointerToken, pointerTokens, type JsonType, resolveLocalReference, typeOf } from '../json/index.js';
import { viewOf } from '../projections/index.js';
import { describeViolations, leafViolations, type Violation } from '../schema/index.js';
import { shownValue } from '../secrets/index.js';
import { shortened } from './json.js';

/** One thing wrong with the arguments, for programs. */
export interface ReportedViolation {
  /** The parameter as a person would name it: `limit`, `queries[0].ageMin`; empty for the arguments as a whole. */
  readonly parameter: string;
  /** The same as JSON Pointer (RFC 6901): `/queries/0/ageMin`. */
  readonly location: string;
  /** What the schema asks for there; empty where it names no types. */
  readonly expectedTypes: readonly JsonType[];
  /** `missing` for a required parameter that did not come. */
  readonly receivedType: JsonType | 'missing';
  /** What came, shortened; masked where it is likely to be a secret; absent when nothing came. */
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

/** Why and where no verdict was reached. */
export interface Undetermined {
  readonly message: string;
  readonly instanceLocation: string;
  /** What came there. */
  readonly value: unknown;
}

/** Arguments that the tool's input schema refuses, or of which it cannot be told. The call has not been made. */
export class InvalidArgumentsError extends Error {
  override readonly name = 'InvalidArgumentsError';
  readonly code = 'INVALID_ARGUMENTS';
  /** The tool's name at its server. */
  readonly tool: string;
  /** What the schema refused. The values in it are those that came; the texts hide what may be a secret. */
  declare readonly violations: readonly Violation[];
  /** The same for programs, and safe to be logged: values that may be secrets are masked. */
  readonly report: InvalidArgumentsReport;

  /**
   * @internal
   * @param undetermined why no verdict was reached, where that is the reason
   */
  constructor(
    tool: { name: string; inputSchema: unknown },
    violations: readonly Violation[],
    undetermined?: Undetermined,
  ) {
    super(messageFor(tool.name, violations, undetermined));
    this.tool = tool.name;
    // Loggers print an error's own enumerable properties; these hold values as they came.
    Object.defineProperty(this, 'violations', { value: violations, enumerable: false });
    const reported = leafViolations(violations).map((violation) => report(violation, tool.inputSchema));
    if (undetermined !== undefined) reported.push(reportUndetermined(undetermined));
    this.report = { status: 'error', code: this.code, tool: tool.name, violations: reported };
  }
}

/** What a model reads at one glance; the rest is counted. */
const maxLines = 25;

function messageFor(tool: string, violations: readonly Violation[], undetermined: Undetermined | undefined): string {
  const reasons = violations.length > 0 ? describeViolations(violations, { limit: maxLines }).split('\n') : [];
  if (undetermined) reasons.push(...undeterminedLines(undetermined));
  return [
    `Invalid arguments for tool "${shortened(tool, 100)}". The tool was not called.`,
    ...reasons.map((line) => (line.startsWith('-') || line.startsWith(' ') ? line : `- ${line}`)),
    ...(violations.length > 0 ? ['Correct the arguments and call the tool again.'] : []),
  ].join('\n');
}

function report(violation: Violation, inputSchema: unknown): ReportedViolation {
  const { instanceLocation, message, property, received } = violation;
  if (property !== undefined) return reportProperty(violation, property, inputSchema);
  return {
    parameter: parameterName(instanceLocation),
    location: instanceLocation,
    expectedTypes: violation.expectedTypes ? [...violation.expectedTypes] : typesBeside(violation, inputSchema),
    receivedType: received.type,
    receivedValue: shownValue(received.value, pointerTokens(instanceLocation)),
    message,
  };
}

/** A property that is missing or unwanted is reported at its own place, not at the object's. */
function reportProperty(violation: Violation, property: string, inputSchema: unknown): ReportedViolation {
  const { instanceLocation, message, received } = violation;
  const location = `${instanceLocation}/${pointerToken(property)}`;
  const parameter = parameterName(location);
  if (isObject(received.value) && Object.hasOwn(received.value, property)) {
    const value = received.value[property];
    return {
      parameter,
      location,
      expectedTypes: [],
      receivedType: typeOf(value),
      receivedValue: shownValue(value, pointerTokens(location)),
      message,
    };
  }
  const described = `${holderOf(violation)}/properties/${encodeURIComponent(pointerToken(property))}`;
  return { parameter, location, expectedTypes: typesAt(described, inputSchema), receivedType: 'missing', message };
}

function undeterminedLines({ message, instanceLocation }: Undetermined): string[] {
  const place = instanceLocation === '' ? 'the arguments are' : `${instanceLocation} is`;
  const lines = [`It could not be checked whether ${place} right. ${message}`];
  return instanceLocation === '' ? lines : [...lines, 'If that parameter is optional, leave it out.'];
}

function reportUndetermined({ message, instanceLocation: location, value }: Undetermined): ReportedViolation {
  return {
    parameter: parameterName(location),
    location,
    expectedTypes: [],
    receivedType: typeOf(value),
    receivedValue: shownValue(value, pointerTokens(location)),
    message,
  };
}

/** What the schema that holds the violated keyword says of the type. */
function typesBeside(violation: Violation, inputSchema: unknown): JsonType[] {
  return typesAt(holderOf(violation), inputSchema);
}

function holderOf({ schemaLocation }: Violation): string {
  return schemaLocation.slice(0, schemaLocation.lastIndexOf('/'));
}

function typesAt(schemaLocation: string, inputSchema: unknown): JsonType[] {
  const schema = resolveLocalReference(inputSchema, schemaLocation);
  if (!isObject(schema)) return [];
  const { types = [], nullable } = viewOf(schema, inputSchema);
  return [...types.filter(isJsonType), ...(nullable ? (['null'] as const) : [])];
}

const jsonTypes: readonly string[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
] satisfies JsonType[];

function isJsonType(name: string): name is JsonType {
  return jsonTypes.includes(name);
}

/** `/queries/0/ageMin` -> `queries[0].ageMin` */
function parameterName(location: string): string {
  return pointerTokens(location).reduce((path, token) => {
    if (/^[0-9]+$/.test(token) && path !== '') return `${path}[${token}]`;
    return path === '' ? token : `${path}.${token}`;
  }, '');
}
