import { equals, isList, isObject, jsonPointer, typeOf } from '../../src/json/index.js';
import { hidden, shownText } from '../../src/secrets/index.js';
import { type Demand, type Said, type Saying, sayingOf } from './demands.js';
import { type Line, readRefusal } from './lines.js';
import { isEnough, isSatisfied } from './satisfied.js';

/** A line of a refusal that is untrue of the sent arguments, with the reason. */
export interface Untrue {
  readonly line: string;
  readonly why: string;
}

/**
 * The lines of a refusal that contradict themselves or the sent value: `must be integer, received integer 5`, a listed
 * value received, a bound that holds, a long text called too short, a large number called too small.
 *
 * @param message the whole text, or its lines, each behind `- `
 * @param sent the arguments as they were sent, before any repair
 */
export function untrueLines(
  message: string,
  sent: unknown,
): { readonly lines: number; readonly untrue: readonly Untrue[] } {
  const { lines } = readRefusal(message);
  const untrue = lines.flatMap((line) => {
    const why = untruthOf(line, sent);
    return why === undefined ? [] : [{ line: line.text, why }];
  });
  return { lines: lines.length, untrue };
}

function untruthOf(line: Line, sent: unknown): string | undefined {
  // A shortened place cannot be looked up.
  if (line.path.some((token) => token.includes('...') || token.includes(hidden))) return undefined;
  const { saying, received } = sayingOf(line.problem);
  const values = valuesAt(sent, line.path);
  if (values.length === 0) return `nothing was sent at ${jsonPointer(line.path)}`;
  // A line about several rows shows the first.
  const whys = values.map((value) => ofValue(saying, received, value));
  return whys.includes(undefined) ? undefined : whys[0];
}

export function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [token, ...rest] = path;
  if (token === undefined) return [value];
  if (isList(value)) {
    if (token === '*') return value.flatMap((item) => valuesAt(item, rest));
    return Number(token) < value.length ? valuesAt(value[Number(token)], rest) : [];
  }
  return isObject(value) && Object.hasOwn(value, token) ? valuesAt(value[token], rest) : [];
}

function ofValue(saying: Saying, received: Said | undefined, value: unknown): string | undefined {
  if (received) {
    if (received.type !== typeOf(value)) return `received ${typeOf(value)}`;
    if (received.type !== 'null' && received.text !== hidden && received.text !== shownText(value))
      return 'received another value';
  }
  switch (saying.kind) {
    case 'be': {
      if (saying.any.some((all) => all.length > 0 && all.every((each) => isSatisfied(each, value) === true)))
        return 'the value is as demanded';
      return saying.any.length === 1 && saying.any[0]?.every((each) => isOfOtherType(each, value))
        ? 'its type is what is wrong'
        : undefined;
    }
    case 'missing':
      return isObject(value) && !saying.properties.some(({ name }) => Object.hasOwn(value, name))
        ? undefined
        : 'it is there';
    case 'missing-one':
      // "or 1 more" names nothing.
      return isObject(value) &&
        !saying.sets.some((set) => set.length > 0 && set.every(({ name }) => Object.hasOwn(value, name)))
        ? undefined
        : 'one is there';
    case 'unwanted':
      return isObject(value) && saying.properties.every(({ name }) => Object.hasOwn(value, name))
        ? undefined
        : 'it is not there';
    case 'together':
      return isObject(value) && saying.names.every((name) => Object.hasOwn(value, name))
        ? undefined
        : 'they are not there';
    case 'overlap': {
      const isThere = (name: string) => isObject(value) && Object.hasOwn(value, name);
      return saying.out.flat().every(isThere) && !saying.add.some(isThere) ? undefined : 'they are not there';
    }
    case 'count': {
      const actual =
        saying.noun === 'item' ? (isList(value) ? value.length : -1) : isObject(value) ? Object.keys(value).length : -1;
      if (actual < 0) return 'its type is what is wrong';
      return isEnough(actual, saying) || (saying.has !== undefined && saying.has !== actual)
        ? 'there are as many'
        : undefined;
    }
    case 'unique': {
      const [one, other] = saying.equal;
      return isList(value) && one !== other && equals(value[one], value[other]) ? undefined : 'they are not equal';
    }
    default:
      return undefined;
  }
}

/** True if a demand is about numbers or texts, and the value is neither. */
function isOfOtherType(demand: Demand, value: unknown): boolean {
  if (demand.kind === 'bound' || demand.kind === 'multiple') return typeof value !== 'number';
  return demand.kind === 'length' || demand.kind === 'pattern' || demand.kind === 'format'
    ? typeof value !== 'string'
    : false;
}
