import { isObject } from '../../src/json/index.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Arguments that a schema probably accepts, made from it alone. Tests and measurements ask independent validators
 * whether they are valid.
 *
 * @param options.optional also fills in properties that are not required
 */
export function synthesise(schema: unknown, options: { optional: boolean }): unknown {
  return new Synthesis(schema, options.optional).value(schema, 0);
}

class Synthesis {
  constructor(
    private readonly root: unknown,
    private readonly optional: boolean,
  ) {}

  value(schema: unknown, depth: number): unknown {
    if (!isObject(schema) || depth > 12) return 'x';
    if (Object.hasOwn(schema, 'const')) return schema['const'];
    if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum'][0];
    const { default: preset } = schema;
    if (preset !== undefined && preset !== null && typeof preset !== 'object') return preset;
    if (typeof schema['$ref'] === 'string') return this.value(this.resolve(schema['$ref']), depth + 1);
    for (const combinator of ['anyOf', 'oneOf', 'allOf']) {
      const branches = schema[combinator];
      if (Array.isArray(branches) && branches.length > 0) return this.combined(schema, combinator, branches, depth);
    }
    return this.typed(schema, depth);
  }

  private combined(schema: Schema, combinator: string, branches: readonly unknown[], depth: number): unknown {
    const chosen = combinator === 'allOf' ? branches.filter(isObject) : branches.slice(0, 1).filter(isObject);
    const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== combinator));
    const merged = chosen.reduce<Schema>((all, branch) => {
      const resolved = typeof branch['$ref'] === 'string' ? this.resolve(branch['$ref']) : branch;
      return isObject(resolved) ? merge(all, resolved) : all;
    }, rest);
    return this.value(merged, depth + 1);
  }

  private typed(schema: Schema, depth: number): unknown {
    const { type } = schema;
    const name: unknown = Array.isArray(type) ? type.find((one) => one !== 'null') : (type ?? this.guess(schema));
    switch (name) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return this.array(schema, depth);
      case 'integer':
      case 'number':
        return numberWithin(schema, name === 'integer');
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return stringFor(schema);
    }
  }

  private guess(schema: Schema): string {
    if (schema['properties'] ?? schema['required'] ?? schema['additionalProperties']) return 'object';
    if (schema['items'] ?? schema['prefixItems']) return 'array';
    if (schema['minimum'] ?? schema['maximum']) return 'number';
    return 'string';
  }

  private object(schema: Schema, depth: number): unknown {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = Array.isArray(schema['required'])
      ? schema['required'].filter((name) => typeof name === 'string')
      : [];
    const names = this.optional && depth < 6 ? new Set([...required, ...Object.keys(properties)]) : new Set(required);
    const entries = [...names].map((name) => {
      const value = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
      return [name, this.value(value, depth + 1)] as const;
    });
    // fromEntries makes even __proto__ an own member
    return Object.fromEntries(entries);
  }

  private array(schema: Schema, depth: number): unknown {
    const tuple = schema['prefixItems'] ?? schema['items'];
    if (Array.isArray(tuple)) return tuple.map((item) => this.value(item, depth + 1));
    const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
    const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Infinity;
    const count = Math.min(Math.max(least, this.optional && depth < 8 ? 1 : 0), most, 50);
    return Array.from({ length: count }, () => this.value(schema['items'], depth + 1));
  }

  private resolve(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    let value: unknown = this.root;
    for (const token of reference.split('/').slice(1)) {
      const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
      value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
    return value;
  }
}

function merge(left: Schema, right: Schema): Schema {
  return {
    ...left,
    ...right,
    properties: { ...asObject(left['properties']), ...asObject(right['properties']) },
    required: [...asArray(left['required']), ...asArray(right['required'])],
  };
}

function asObject(value: unknown): Schema {
  return isObject(value) ? value : {};
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberWithin(schema: Schema, whole: boolean): number {
  const step = whole ? 1 : 0.5;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  let value = 1;
  if (typeof minimum === 'number') value = whole ? Math.ceil(minimum) : minimum;
  else if (typeof exclusiveMinimum === 'number') value = exclusiveMinimum + step;
  else if (typeof maximum === 'number') value = Math.min(value, Math.floor(maximum));
  else if (typeof exclusiveMaximum === 'number') value = Math.min(value, exclusiveMaximum - step);
  return typeof multipleOf === 'number' ? Math.ceil(value / multipleOf) * multipleOf : value;
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-11-20T08:00:00Z',
  date: '2026-11-20',
  time: '08:00:00Z',
  duration: 'P1D',
  email: 'a@example.com',
  hostname: 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

/** Candidate texts for the patterns of published servers. */
const samples = [
  ...[
    '2026-11-20',
    '123e4567-e89b-12d3-a456-426614174000',
    '2026-11-20T08:00:00Z',
    '08:00:00',
    'abc',
    'a',
    'ABC',
    'AB123',
  ],
  ...[
    '1',
    '10px',
    '45deg',
    '16:9',
    '#a1b2c3',
    'a1b2c3',
    'a=b',
    'owner/repo',
    'a@example.com',
    '127.0.0.1',
    'P1D',
    'today',
    'e1',
  ],
  ...['2026-11-20to2026-11-21', '0123456789abcdef'.repeat(4), 'USD', 'level=info', '10.0.0.0/8'],
];

function stringFor(schema: Schema): string {
  const { pattern, format, minLength, maxLength } = schema;
  if (typeof pattern === 'string') {
    const found = samples.find((sample) => matches(pattern, sample));
    if (found !== undefined) return found;
  }
  const base = typeof format === 'string' && Object.hasOwn(formats, format) ? (formats[format] ?? '') : 'text';
  const padded = typeof minLength === 'number' ? base.padEnd(Math.min(minLength, 5000), 'x') : base;
  return typeof maxLength === 'number' ? padded.slice(0, maxLength) : padded;
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}
