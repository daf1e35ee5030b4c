import { isObject, pointerTokens, walkSchemas, type JsonObject } from '../../json/index.js';
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
  for (const { schema: part, location } of walkSchemas(schema, Infinity)) {
    const header = part['x-mcp-header'];
    if (header === undefined) continue;
    const path = propertiesOf(location);
    const message = faultOf(header, part, path) ?? repeated(header as string, location, seen); // a name, or there is a fault
    if (message !== undefined)
      return { annotations: [], fault: { message, schemaLocation: `${location}/x-mcp-header` } };
    annotations.push({ path, header: header as string }); // else there would be a fault
  }
  return { annotations };
}

/** The properties that lead to a schema; none where anything else leads to it. */
function propertiesOf(location: string): string[] {
  if (!/^#(\/properties\/[^/]*)+$/.test(location)) return [];
  return pointerTokens(location.slice(1)).filter((_, index) => index % 2 === 1);
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

const primitives: readonly unknown[] = ['string', 'integer', 'boolean'];

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function faultOf(header: unknown, node: JsonObject, path: readonly string[]): string | undefined {
  if (path.length === 0) return 'x-mcp-header is in a place that cannot be reached through properties alone.';
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
