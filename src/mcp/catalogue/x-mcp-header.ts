import { isObject, pointerToken, subschemasIn, type JsonObject } from '../../json/index.js';
import { headerText } from '../http/request-headers.js';

/** An argument that an HTTP client repeats as a header, so that proxies can route by it. */
interface HeaderAnnotation {
  /** Property names that lead from the arguments to the value. */
  readonly path: readonly string[];
  /** What follows `Mcp-Param-`. */
  readonly header: string;
}

/**
 * Reads the `x-mcp-header` annotations of an input schema (2026-07-28, Streamable HTTP, custom headers from tool
 * parameters): a header name stands on a property of type string, integer or boolean that is reached through
 * `properties` alone, no two are equal but for their case, and one in any other place makes the tool invalid.
 */
export function readHeaderAnnotations(schema: unknown): {
  annotations: HeaderAnnotation[];
  fault?: { message: string; schemaLocation: string };
} {
  const annotations: HeaderAnnotation[] = [];
  const seen = new Map<string, string>();
  const waiting: Place[] = [{ node: schema, location: '#', path: [] }];
  // A list of its own instead of recursion: nesting from outside has no bound.
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    const { node, location, path } = place;
    if (!isObject(node)) continue;
    const header = node['x-mcp-header'];
    if (header !== undefined) {
      const message = faultOf(header, node, path) ?? repeated(header as string, location, seen); // a name, or there is a fault
      if (message !== undefined)
        return { annotations: [], fault: { message, schemaLocation: `${location}/x-mcp-header` } };
      annotations.push({ path: path ?? [], header: header as string }); // else there would be a fault
    }
    waiting.push(...children(place, node));
  }
  return { annotations };
}

/** Arguments that are absent or null have none. */
export function paramHeaders(schema: unknown, args: Readonly<Record<string, unknown>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of readHeaderAnnotations(schema).annotations) {
    const text = scalarText(path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), args));
    if (text !== undefined) headers[`Mcp-Param-${header}`] = headerText(text);
  }
  return headers;
}

interface Place {
  node: unknown;
  location: string;
  /** Absent where an annotation is not allowed. */
  path?: readonly string[] | undefined;
}

function* children({ location, path }: Place, node: JsonObject): Generator<Place> {
  for (const { keyword, path: steps, schema } of subschemasIn(node)) {
    const below = keyword === 'properties' ? path && [...path, String(steps[1])] : undefined;
    yield { node: schema, location: `${location}/${steps.map(pointerToken).join('/')}`, path: below };
  }
}

const primitives: readonly unknown[] = ['string', 'integer', 'boolean'];

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function faultOf(header: unknown, node: JsonObject, path: readonly string[] | undefined): string | undefined {
  if (!path?.length) return 'x-mcp-header is in a place that cannot be reached through properties alone.';
  if (typeof header !== 'string' || !token.test(header)) return 'x-mcp-header is not a valid header name.';
  if (primitives.includes(node['type'])) return undefined;
  return 'x-mcp-header is on a property whose type is not string, integer or boolean.';
}

function repeated(header: string, location: string, seen: Map<string, string>): string | undefined {
  const earlier = seen.get(header.toLowerCase());
  seen.set(header.toLowerCase(), location);
  return earlier && `x-mcp-header names the same header as ${earlier}.`;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return !Number.isInteger(value) || Number.isSafeInteger(value) ? String(value) : undefined;
}
