/** Arguments made for a schema, with as much in them as it describes: what a thorough model might send. */
export function synthesised(schema: unknown): unknown {
  return make(schema, schema, 0);
}

type Parts = { readonly [keyword: string]: unknown };

const formats: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  email: 'a@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

function make(schema: unknown, root: unknown, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null || depth > 8) return depth > 8 ? undefined : 'any';
  const parts = schema as Parts;
  if ('const' in parts) return parts['const'];
  if (Array.isArray(parts['enum']) && parts['enum'].length > 0) return parts['enum'][0];
  if (typeof parts['$ref'] === 'string') return make(resolved(parts['$ref'], root), root, depth + 1);
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = parts[keyword];
    if (Array.isArray(branches) && !('properties' in parts)) return firstMade(branches, root, depth);
  }
  if (Array.isArray(parts['allOf']) && !('type' in parts))
    return make(Object.assign({}, ...(parts['allOf'] as object[])), root, depth + 1);
  const [type] = [parts['type'] ?? ('properties' in parts ? 'object' : 'string')].flat() as string[];
  return makeType(type, parts, root, depth);
}

function firstMade(branches: readonly unknown[], root: unknown, depth: number): unknown {
  for (const branch of branches) {
    const value = make(branch, root, depth + 1);
    if (value !== undefined) return value;
  }
  return undefined;
}

function makeType(type: string | undefined, parts: Parts, root: unknown, depth: number): unknown {
  switch (type) {
    case 'object':
      return makeObject(parts, root, depth);
    case 'array': {
      const length = Math.min(
        Math.max(Number(parts['minItems'] ?? 1), depth > 5 ? 0 : 1),
        Number(parts['maxItems'] ?? 5),
      );
      const items = Array.isArray(parts['items']) ? parts['items'] : Array.from({ length }, () => parts['items']);
      const elements = items.map((item) => make(item ?? true, root, depth + 1));
      return elements.includes(undefined) ? [] : elements;
    }
    case 'integer':
    case 'number':
      return makeNumber(parts, type);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return makeString(parts);
  }
}

function makeObject(parts: Parts, root: unknown, depth: number): unknown {
  const properties = (parts['properties'] ?? {}) as Parts;
  const names = new Set([...Object.keys(properties), ...((parts['required'] ?? []) as string[])]);
  const members = [...names].map((name) => [name, make(properties[name] ?? true, root, depth + 1)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function makeNumber(parts: Parts, type: string): number {
  const low = Number(
    parts['minimum'] ?? (typeof parts['exclusiveMinimum'] === 'number' ? parts['exclusiveMinimum'] + 1 : 1),
  );
  const high = Number(parts['maximum'] ?? Infinity);
  const step = Number(parts['multipleOf'] ?? 1);
  const value = Math.ceil(Math.min(Math.max(low, 1), high) / step) * step;
  return type === 'integer' ? Math.ceil(value) : value;
}

function makeString(parts: Parts): string {
  const text = formats[String(parts['format'])] ?? 'text';
  const longer = text.padEnd(Number(parts['minLength'] ?? 0), 'x');
  return longer.slice(0, Number(parts['maxLength'] ?? longer.length));
}

function resolved(reference: string, root: unknown): unknown {
  const tokens = reference.split('/').slice(1);
  return tokens.reduce<unknown>((at, token) => (at as Parts | undefined)?.[decodeURIComponent(token)], root);
}
