import { jsonPointer, type JsonType, pointerTokens } from '../../json/index.js';
import { isSecret } from '../../secrets/index.js';
import type { Expectation } from './expectation.js';
import { receive, type Received } from './received.js';

/** One thing that is wrong with the arguments. */
export interface Violation {
  /** JSON Pointer into the arguments; '' is the whole of them. */
  readonly instanceLocation: string;
  /** Where the keyword stands in the schema: '#/$defs/page/minimum'. */
  readonly schemaLocation: string;
  /** The keyword that refused; 'false' for the schema `false`. */
  readonly keyword: string;
  /** Short phrase: 'integer or null', '>= 0', 'one of "a", "b"'. */
  readonly expected: string;
  /** The types that `type`, `enum` or `const` ask for there, or all alternatives of a combinator together. */
  readonly expectedTypes?: readonly JsonType[];
  /** The property that the violation is about: the missing, the unwanted, the misnamed one. */
  readonly property?: string;
  readonly received: Received;
  /** One line: '/limit: must be integer or null, received string "abc"'. */
  readonly message: string;
  /** What each alternative of a combinator found wrong; empty for one that found nothing. */
  readonly branches?: Violation[][];
}

/** The keyword that refused, and where it stands. */
export interface Refusal {
  readonly keyword: { readonly name: string };
  readonly node: { readonly location: string; locationOf(keyword: string): string };
}

export function createViolation(
  { keyword, node }: Refusal,
  received: Received,
  path: readonly (string | number)[],
  { expected, expectedTypes, problem, property }: Expectation,
  branches: Violation[][] | undefined,
): Violation {
  const instanceLocation = jsonPointer(path);
  return {
    instanceLocation,
    schemaLocation: keyword.name === 'false' ? node.location : node.locationOf(keyword.name),
    keyword: keyword.name,
    expected,
    ...(expectedTypes && { expectedTypes }),
    ...(property !== undefined && { property }),
    received,
    message: `${place(instanceLocation)}: ${problem ?? `must be ${expected}, received ${describe(received)}`}`,
    ...(branches && { branches }),
  };
}

/** Characters of a location in a message. */
const placeLimit = 200;

/** The instance location as people read it. */
export function place(instanceLocation: string): string {
  if (instanceLocation === '') return '(root)';
  if (instanceLocation.length <= placeLimit) return instanceLocation;
  return `${instanceLocation.slice(0, placeLimit / 2)}...${instanceLocation.slice(-placeLimit / 2)}`;
}

export function describe({ type, text }: Received): string {
  return type === 'null' ? 'null' : `${type} ${text}`;
}

/** The same demand, of another value that came; what the branches say of the same place, too. */
export function withReceived(violation: Violation, value: unknown): Violation {
  const { branches, instanceLocation, message } = violation;
  if (violation.received.value === value) return violation;
  const received = receive(value, isSecret(pointerTokens(instanceLocation), value));
  const end = `received ${describe(violation.received)}`;
  const demand = message.endsWith(end) ? message.slice(0, -end.length) : `${message}, `;
  const own = { ...violation, received, message: `${demand}received ${describe(received)}` };
  const isHere = (inner: Violation) => inner.instanceLocation === instanceLocation;
  if (!branches) return own;
  return {
    ...own,
    branches: branches.map((branch) => branch.map((it) => (isHere(it) ? withReceived(it, value) : it))),
  };
}
