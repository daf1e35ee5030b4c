import {
  jsonPointer,
  type JsonType,
  pointerTokens,
  startWork,
  typeOf,
  valueAt,
  visibleLine,
  type Work,
} from '../../json/index.js';
import { hideSecretsIn, isHarmless, namesTo } from '../../secrets/index.js';
import type { Expectation } from './expectation.js';
import { type KnownTexts, type Received, ReceivedValue } from './received.js';
import { namedTypes } from './schema-view.js';
import { type Context, expectedText, problemText } from './words.js';

/** One thing that is wrong with the arguments. Its texts are made when they are first read. */
export interface Violation {
  /** JSON Pointer into the arguments; '' is the whole of them. */
  readonly instanceLocation: string;
  /** Where the keyword stands in the schema: '#/$defs/page/minimum'. */
  readonly schemaLocation: string;
  /** The keyword that refused; 'false' for the schema `false`. */
  readonly keyword: string;
  /** What the keyword wanted, as data. */
  readonly expectation: Expectation;
  /** The same as a short phrase: 'integer or null', '>= 0', 'one of "a", "b"'. */
  readonly expected: string;
  /** The types that `type`, `enum` or `const` ask for there, or all alternatives of a combinator together. */
  readonly expectedTypes?: readonly JsonType[] | undefined;
  /** The property that the violation is about: the missing, the unwanted, the misnamed one. */
  readonly property?: string | undefined;
  readonly received: Received;
  /** One line: '/limit: must be integer or null, received string "abc"'. */
  readonly message: string;
  /** What each alternative of a combinator found wrong; empty for one that found nothing. */
  readonly branches?: Violation[][] | undefined;
}

/** The keyword that refused, and where it stands. */
export interface Refusal {
  readonly keyword: { readonly name: string };
  readonly node: {
    readonly schema: unknown;
    readonly location: string;
    locationOf(keyword: string): string;
    readonly resource: { readonly root: { readonly schema: unknown } };
  };
}

/** What a violation is made of. */
interface Parts {
  readonly path: readonly (string | number)[];
  readonly refusal: Refusal;
  readonly expectation: Expectation;
  readonly value: unknown;
  readonly branches: Branches | undefined;
  readonly texts: SharedTexts;
}

/** What each branch of a combinator found wrong, worked out when it is asked for. */
export interface Branches {
  readonly length: number;
  at(index: number): Violation[];
}

/** What the texts of all violations of one evaluation share. */
export interface SharedTexts {
  /** What may be spent on explaining; the clock stands still between one text that is read and the next. */
  readonly work: Work;
  known: KnownTexts | undefined;
  /** What is evaluated, where it is known: names of secrets stand beside these, too. */
  readonly instance?: unknown;
  /** More is wrong than was found: what is counted is at least as much. */
  isPart: boolean;
}

export function createViolation(
  refusal: Refusal,
  value: unknown,
  path: readonly (string | number)[],
  expectation: Expectation,
  branches: Branches | undefined,
  texts: SharedTexts,
): Violation {
  return new RefusedValue({ path, refusal, expectation, value, branches, texts });
}

/**
 * The same demand, of another value; of what the branches say, what is about a place in it, too. For messages about what
 * came, where what was made of it is refused.
 */
export function withReceived(violation: Violation, value: unknown): Violation {
  const { instanceLocation, received } = violation;
  if (received.value === value) return violation;
  const changedWithin = (inner: Violation) => {
    const came = valueAt(value, inner.instanceLocation.slice(instanceLocation.length));
    return came === undefined ? inner : withReceived(inner, came);
  };
  const parts = partsOf(violation);
  const { branches } = parts;
  const changed = branches && {
    length: branches.length,
    at: (index: number) => branches.at(index).map(changedWithin),
  };
  return new RefusedValue({ ...parts, value, branches: changed });
}

/** A number that JSON cannot write, whatever the schema says of it. */
export function notFinite(instanceLocation: string, value: unknown): Violation {
  const expectation = { kind: 'finite' } as const;
  return new RefusedValue(
    foreignParts({ instanceLocation, schemaLocation: '#', keyword: 'type', expectation, received: { value } }),
  );
}

/** Another demand of the same value at the same place. */
export function withExpectation(violation: Violation, expectation: Expectation): Violation {
  return new RefusedValue({ ...partsOf(violation), expectation, branches: undefined });
}

/** The same demand often comes twice: through `allOf`, through two references to one schema, of two alternatives. */
export function distinct(violations: readonly Violation[], kindOf: (violation: Violation) => string): Violation[] {
  const first = new Map<string, Violation>();
  const told = new Set<string>();
  return violations.filter((violation) => {
    const place = `${kindOf(violation)} ${violation.instanceLocation}`;
    const before = first.get(place);
    if (!before) return first.set(place, violation);
    // What is expected is put in words only where it could be the same.
    told.add(`${place}\n${before.expected}`);
    const demand = `${place}\n${violation.expected}`;
    return !told.has(demand) && told.add(demand);
  });
}

/** What is needed to make texts about a violation. */
export function contextOf(violation: Violation): Context {
  const { refusal, texts } = partsOf(violation);
  return {
    received: violation.received,
    root: refusal.node.resource.root.schema,
    texts,
    isPart: texts.isPart,
  };
}

/** What may be spent on explaining it, and the others of its evaluation. */
export function workOf(violation: Violation): Work {
  return partsOf(violation).texts.work;
}

/** What the branches of a violation's combinator found wrong. */
export function branchesOf(violation: Violation): Branches | undefined {
  return partsOf(violation).branches;
}

/** The steps of its instance location. */
export function pathOf(violation: Violation): readonly (string | number)[] {
  return partsOf(violation).path;
}

function partsOf(violation: Violation): Parts {
  return violation instanceof RefusedValue ? violation.parts : foreignParts(violation);
}

type ForeignViolation = Pick<
  Violation,
  'instanceLocation' | 'schemaLocation' | 'expectation' | 'branches' | 'keyword'
> & { readonly received: Pick<Received, 'value'> };

/** Of a violation that somebody copied or made up. */
function foreignParts({
  instanceLocation,
  schemaLocation,
  expectation,
  received,
  branches,
  keyword,
}: ForeignViolation): Parts {
  const node = { schema: {}, location: schemaLocation, locationOf: () => schemaLocation };
  const refusal = { keyword: { name: keyword }, node: { ...node, resource: { root: node } } };
  return {
    path: pointerTokens(instanceLocation),
    refusal,
    expectation,
    value: received.value,
    branches: branches && { length: branches.length, at: (index) => branches[index] ?? [] },
    texts: { work: startWork({ steps: 0, ms: 0 }), known: undefined, isPart: false },
  };
}

/**
 * What is put in words without a look at a schema or at candidates, so that no clock needs to run; and of numbers,
 * names of types and what is quoted, in which nothing is invisible.
 */
const saidAtOnce: ReadonlySet<Expectation['kind']> = new Set(['types', 'bound', 'multiple', 'length'] as const);

class RefusedValue implements Violation {
  readonly #parts: Parts;
  #instanceLocation: string | undefined;
  #schemaLocation: string | undefined;
  #expected: string | undefined;
  #problem: string | undefined;
  #received: Received | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get parts(): Parts {
    return this.#parts;
  }

  get instanceLocation(): string {
    return (this.#instanceLocation ??= jsonPointer(this.#parts.path));
  }

  get schemaLocation(): string {
    const { keyword, node } = this.#parts.refusal;
    return (this.#schemaLocation ??= keyword.name === 'false' ? node.location : node.locationOf(keyword.name));
  }

  get keyword(): string {
    return this.#parts.refusal.keyword.name;
  }

  get expectation(): Expectation {
    return this.#parts.expectation;
  }

  get expected(): string {
    return (this.#expected ??= this.#inWords(expectedText));
  }

  get expectedTypes(): readonly JsonType[] | undefined {
    return typesIn(this.#parts);
  }

  get property(): string | undefined {
    const { expectation } = this.#parts;
    return 'property' in expectation ? expectation.property : undefined;
  }

  get received(): Received {
    const { path, expectation, value, texts } = this.#parts;
    // What may only be true or false is a choice, whatever it is called.
    return (this.#received ??= new ReceivedValue(
      value,
      asksForBoolean(expectation) ? [] : namesTo(texts.instance, path),
      texts,
    ));
  }

  get message(): string {
    this.#problem ??= this.#inWords(problemText);
    return `${place(this.instanceLocation)}: ${this.#problem}`;
  }

  get branches(): Violation[][] | undefined {
    const { branches } = this.#parts;
    return branches && allOf(branches);
  }

  #inWords(textOf: (expectation: Expectation, context: Context) => string): string {
    const { expectation, texts } = this.#parts;
    if (saidAtOnce.has(expectation.kind)) return textOf(expectation, contextOf(this));
    return visibleLine(texts.work.during(() => textOf(withoutAlternatives(this.#parts), contextOf(this))));
  }

  /** All of it but what leads to the schema. */
  toJSON(): Omit<Violation, 'expectation'> {
    const { instanceLocation, schemaLocation, keyword, expected, expectedTypes, property, received, message } = this;
    const { branches } = this;
    return {
      ...{ instanceLocation, schemaLocation, keyword, expected, expectedTypes, property, received, message },
      ...(branches && { branches }),
    };
  }
}

function allOf(branches: Branches): Violation[][] {
  return Array.from({ length: branches.length }, (_, index) => branches.at(index));
}

function asksForBoolean(expectation: Expectation): boolean {
  if (expectation.kind !== 'types' || !expectation.types.includes('boolean')) return false;
  return expectation.types.every((type) => type === 'boolean' || type === 'null');
}

function typesIn({ expectation, branches, path }: Demand): readonly JsonType[] | undefined {
  switch (expectation.kind) {
    case 'types':
      return expectation.types;
    case 'values':
      return [...new Set(expectation.values.map(typeOf))];
    case 'alternatives': {
      const asked = (branches ? allOf(branches) : []).flatMap((branch) => typesAskedFor(branch, path) ?? []);
      return asked.length > 0 ? [...new Set(asked)] : undefined;
    }
    default:
      return undefined;
  }
}

/** Where every alternative asks for another type, all these types together are what was expected. */
export function withoutAlternatives({ expectation, branches, path }: Demand): Expectation {
  if (expectation.kind !== 'alternatives' || !branches?.length) return expectation;
  const asked = new Set<JsonType>();
  for (let index = 0; index < branches.length; index++) {
    const types = typesAskedFor(branches.at(index), path);
    if (!types) return expectation;
    for (const type of types) asked.add(type);
  }
  return { kind: 'types', types: [...asked] };
}

type Demand = Pick<Parts, 'expectation' | 'path' | 'branches'>;

/** The types that an alternative asks of the very value that the combinator is applied to, if only its type is wrong. */
function typesAskedFor(branch: readonly Violation[], path: Parts['path']): readonly JsonType[] | undefined {
  const [first] = branch;
  if (branch.length !== 1 || first?.instanceLocation !== jsonPointer(path)) return undefined;
  const expectation = withoutAlternatives(partsOf(first));
  return expectation.kind === 'types' ? expectation.types : undefined;
}

/** The types that were asked for: by the violated keyword, or else by the schema that holds it. */
export function typesWanted(violation: Violation): readonly JsonType[] {
  const { refusal, expectation } = partsOf(violation);
  if (violation.expectedTypes) return violation.expectedTypes;
  if (expectation.kind === 'unwanted' || expectation.kind === 'name') return [];
  const { root, texts } = contextOf(violation);
  const schema = expectation.kind === 'missing' ? expectation.schema : refusal.node.schema;
  return namedTypes(schema, root, texts.work);
}

/** Characters of a location in a message. */
const placeLimit = 200;

/** The instance location as people read it: whoever names a property cannot write a line of their own. */
export function place(instanceLocation: string): string {
  if (instanceLocation === '') return '(root)';
  if (isHarmless(instanceLocation)) return instanceLocation;
  // What of a token stands on either side of the cut is still known for one.
  const around = 10 * placeLimit;
  const shown = hideSecretsIn(middleCut(instanceLocation, around));
  return visibleLine(middleCut(shown, placeLimit));
}

function middleCut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit / 2)}...${text.slice(-limit / 2)}`;
}
