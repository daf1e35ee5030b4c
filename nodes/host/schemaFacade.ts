import type { ZodType, ZodTypeAny } from 'zod';
import type { HostPackages } from './packages.js';

/**
 * A real Zod type of the host's Zod that hands out the original schema to whoever asks for JSON Schema, and lets every
 * value through: the original schema decides, when the tool is called.
 *
 * n8n's agents replace any schema that is not an instance of their own ZodType by a lossy conversion; LangChain (core
 * 1.2 and later) asks a schema for its Standard JSON Schema (`~standard.jsonSchema`) before it converts anything
 * itself. What the type describes as Zod is n8n's own conversion, as good as that is, for nodes that look no further.
 */
export function schemaFacade(original: object, host: Host): ZodType {
  return dress(bestEffortZod(original, host), original);
}

function dress(body: ZodTypeAny, original: object): ZodType {
  const describe = body.describe.bind(body);
  const own = {
    // Every parse method of Zod 3, of this type and of types it is put into, ends here.
    _parse: (input: { data: unknown }) => ({ status: 'valid', value: input.data }),
    // Zod finds these out by parsing, and every value passes here. Arguments are an object.
    isOptional: () => false,
    isNullable: () => false,
    describe: (description: string) => dress(describe(description), original),
    '~standard': {
      ...body['~standard'],
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => original, output: () => original },
    },
  };
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(body, name, { value, configurable: true, writable: true, enumerable: false });
  }
  return body;
}

type Host = Pick<HostPackages, 'z' | 'jsonSchemaToZod'>;

/**
 * Arguments are an object, so it is a Zod object: the converter's own where it makes one, else one that is put together
 * from what it makes of each property. (Of alternatives or pattern properties it makes unions and records, which
 * providers refuse; a pattern that is no RegExp makes it fail.)
 */
function bestEffortZod(original: object, host: Host): ZodTypeAny {
  const { z } = host;
  const converted = convert(original, host);
  if (converted instanceof z.ZodObject) return converted;
  const { properties, required } = original as { properties?: unknown; required?: unknown };
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const shape = Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => {
    const type = convert(schema, host) ?? z.any();
    return [name, isRequired(name) ? type : type.optional()];
  });
  return z.object(Object.fromEntries(shape)).passthrough();
}

function convert(schema: unknown, { z, jsonSchemaToZod }: Host): ZodTypeAny | undefined {
  if (!isRecord(schema)) return undefined;
  try {
    const converted = jsonSchemaToZod?.(schema);
    return converted instanceof z.ZodType ? converted : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
