import { ConfigurationError } from '../../json/index.js';
import { jsonPointer, type JsonType, pointerTokens, WorkBudget, typeOf, visibleLine } from '../../json/index.js';
import { hidden, isSecret, namesTo, shownText } from '../../secrets/index.js';
import type { Expectation } from './expectation.js';
import { namedTypes, typesOfValues } from '../reading.js';
import type { Context, Received, SharedTexts } from './context.js';
import { expectedText, place, problemText } from './messages.js';

/** One thing that is wrong with the arguments. Its texts are made when they are first read. */
export interface Violation {
  /** JSON Pointer into the arguments; '' is the whole of them. */
  readonly instanceLocation: string;
  /** The keyword's location in the schema: '#/$defs/page/minimum'. */
  readonly schemaLocation: string;
  /** The keyword that rejected the value; 'false' for the schema `false`. */
  readonly keyword: string;
  /** The keyword's demand, as data. */
  readonly expectation: Expectation;
  /** The same as a short phrase: 'integer or null', '>= 0', 'one of "a", "b"'. */
  readonly expected: string;
  /** The types that `type`, `enum` or `const` expect, or all alternatives of a combinator together. */
  readonly expectedTypes?: readonly JsonType[] | undefined;
  /** The property that the violation is about: the missing, the unwanted, the misnamed one. */
  readonly property?: string | undefined;
  readonly received: Received;
  /** One line: '/limit: must be integer or null, received string "abc"'. */
  readonly message: string;
  /** The violations of each alternative of a combinator; empty for one without any. */
  readonly branches?: Violation[][] | undefined;
}

interface Refusal {
  readonly keyword: { readonly name: string };
  readonly node: {
    readonly schema: unknown;
    readonly location: string;
    locationOf(keyword: string): string;
    readonly resource: { readonly root: { readonly schema: unknown } };
  };
}

export interface Branches {
  readonly length: number;
  at(index: number): Violation[];
}

export interface Parts {
  readonly path: readonly (string | number)[];
  readonly refusal: Refusal;
  readonly expectation: Expectation;
  readonly value: unknown;
  readonly branches?: Branches | undefined;
  readonly texts: SharedTexts;
}

/** Notes for the texts of violations what repairs settled, and by location what the strings there would be read as. */
export function noteRefused([first]: readonly Violation[], noted: Pick<SharedTexts, 'unsaid' | 'readings'>): void {
  if (first) Object.assign(partsOf(first).texts, noted);
}

/** A key that identifies the same violation in another evaluation. */
export function violationKey({ instanceLocation, schemaLocation, keyword, property = '' }: Violation): string {
  return [instanceLocation, schemaLocation, keyword, property].join('\n');
}

/** The same violation, reported for another value than the refused one. */
export function withReceived(violation: Violation, value: unknown): Violation {
  return new RefusedValue({ ...partsOf(violation), value });
}

export function withExpectation(violation: Violation, expectation: Expectation): Violation {
  return new RefusedValue({ ...partsOf(violation), expectation, branches: undefined });
}

/** A number that JSON cannot write is invalid for every schema. */
export function notFinite(instanceLocation: string, value: unknown): Violation {
  const anything = { schema: {}, location: '#', locationOf: () => '#' };
  const refusal = { keyword: { name: 'type' }, node: { ...anything, resource: { root: anything } } };
  const texts = { budget: new WorkBudget({ steps: 0, ms: 0 }), isPart: false };
  const path = pointerTokens(instanceLocation);
  return new RefusedValue({ path, refusal, expectation: { kind: 'finite' }, value, texts });
}

/** The same violation often occurs twice: through `allOf`, two references to one schema, or two alternatives. */
export function distinct(violations: readonly Violation[]): Violation[] {
  const known = new Set<string>();
  return violations.filter((violation) => {
    const { expectation, instanceLocation, schemaLocation } = violation;
    // The demands of alternatives are found by looking into them.
    const demand = expectation.kind === 'alternatives' ? schemaLocation : violation.expected;
    const key = `${expectation.kind} ${instanceLocation}\n${demand}`;
    return !known.has(key) && known.add(key);
  });
}

export function contextOf(violation: Violation): Context {
  const { refusal, texts } = partsOf(violation);
  const { schema, resource } = refusal.node;
  const { schema: root } = resource.root;
  const { received, instanceLocation } = violation;
  return { received, instanceLocation, schema, root, budget: texts.budget, texts };
}

export function partsOf(violation: Violation): Parts {
  return RefusedValue.partsOf(violation);
}

export class RefusedValue implements Violation {
  readonly instanceLocation: string;
  readonly keyword: string;
  readonly property: string | undefined;
  readonly #parts: Parts;
  #problem: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.instanceLocation = jsonPointer(parts.path);
    this.keyword = parts.refusal.keyword.name;
    this.property = 'property' in parts.expectation ? parts.expectation.property : undefined;
  }

  static partsOf(violation: Violation): Parts {
    if (violation instanceof RefusedValue) return violation.#parts;
    throw new ConfigurationError('A violation must be one that evaluate() found, not a copy of it.');
  }

  get schemaLocation(): string {
    const { node } = this.#parts.refusal;
    return this.keyword === 'false' ? node.location : node.locationOf(this.keyword);
  }

  get expectation(): Expectation {
    return this.#parts.expectation;
  }

  get expected(): string {
    return this.#inWords(expectedText);
  }

  get expectedTypes(): readonly JsonType[] | undefined {
    return typesIn(this.expectation, this);
  }

  get received(): Received {
    const parts = this.#parts;
    const { value } = parts;
    return {
      type: typeOf(value),
      value,
      get text() {
        return textOf(parts);
      },
    };
  }

  get message(): string {
    // A second reading finds as much in it as the first, whatever is left of the budget.
    this.#problem ??= this.#inWords(problemText);
    return `${place(this.instanceLocation)}: ${this.#problem}`;
  }

  get branches(): Violation[][] | undefined {
    const { branches } = this.#parts;
    return branches && Array.from({ length: branches.length }, (_, index) => branches.at(index));
  }

  #inWords(textOf: (expectation: Expectation, context: Context) => string): string {
    return visibleLine(this.#parts.texts.budget.during(() => textOf(withoutAlternatives(this), contextOf(this))));
  }

  /** Everything but the parts that lead to the schema. */
  toJSON(): Omit<Violation, 'expectation'> {
    const { instanceLocation, schemaLocation, keyword, expected, expectedTypes, property } = this;
    const { received, message, branches } = this;
    const fields = { instanceLocation, schemaLocation, keyword, expected, expectedTypes, property, received, message };
    return branches ? { ...fields, branches } : fields;
  }
}

function textOf({ value, path, expectation, texts }: Parts): string {
  // A value that may only be true or false is a choice, by any name.
  const isChoice = expectation.kind === 'types' && choices.has(expectation.types.join());
  if (isSecret(isChoice ? [] : namesTo(texts.instance, path), value)) return hidden;
  const text = texts.known?.get(value) ?? shownText(value);
  if (typeof value === 'object') (texts.known ??= new Map()).set(value, text);
  return text;
}

const choices: ReadonlySet<string> = new Set(['boolean', 'boolean,null', 'null,boolean']);

/** The expected types; for alternatives, the types of those that expect a type alone. */
function typesIn(expectation: Expectation, violation: Violation): readonly JsonType[] | undefined {
  if (expectation.kind === 'types') return expectation.types;
  if (expectation.kind === 'values') return typesOfValues(expectation.values);
  if (expectation.kind === 'any') return unitedTypes(expectation.of.map((each) => typesIn(each, violation)));
  if (expectation.kind !== 'alternatives') return undefined;
  return unitedTypes(onlyTypes(violation).filter((types) => types !== undefined));
}

function unitedTypes(all: readonly (readonly JsonType[] | undefined)[]): readonly JsonType[] | undefined {
  const types = new Set(all.flatMap((each) => each ?? []));
  return types.size === 0 || all.includes(undefined) ? undefined : [...types];
}

function onlyTypes(violation: Violation): readonly (readonly JsonType[] | undefined)[] {
  return (violation.branches ?? []).map(([only, ...others]) => {
    if (!only || others.length > 0 || only.instanceLocation !== violation.instanceLocation) return undefined;
    const expectation = withoutAlternatives(only);
    return expectation.kind === 'types' ? expectation.types : undefined;
  });
}

/** If every alternative asks for another type, all these types together were expected. */
function withoutAlternatives(violation: Violation): Expectation {
  const { expectation } = violation;
  const types = expectation.kind === 'alternatives' ? unitedTypes(onlyTypes(violation)) : undefined;
  return types ? { kind: 'types', types } : expectation;
}

/** The expected types: of the violated keyword, or else of the schema that holds it. */
export function typesWanted(violation: Violation): readonly JsonType[] {
  return violation.expectedTypes ?? namedTypes(schemaWanted(violation)?.schema, contextOf(violation));
}

/** The schema that the wrong or missing value should satisfy, and its document; undefined for an unexpected value. */
export function schemaWanted(violation: Violation): { readonly schema: unknown; readonly root: unknown } | undefined {
  const { expectation } = violation;
  if (expectation.kind === 'unwanted' || expectation.kind === 'name') return undefined;
  const { schema, root } = contextOf(violation);
  return { schema: expectation.kind === 'missing' ? expectation.schema : schema, root };
}
