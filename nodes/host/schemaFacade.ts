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
export function schemaFacade(original: object, host: Pick<HostPackages, 'z' | 'jsonSchemaToZod'>): ZodType {
  return dress(bestEffortZod(original, host), original);
}

function dress(body: ZodTypeAny, original: object): ZodType {
  const describe = body.describe.bind(body);
  const own = {
    // Every parse method of Zod 3, of this type and of types it is put into, ends here.
    _parse: (input: { data: unknown }) => ({ status: 'valid', value: input.data }),
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

function bestEffortZod(original: object, { z, jsonSchemaToZod }: Pick<HostPackages, 'z' | 'jsonSchemaToZod'>): ZodTypeAny {
  try {
    const converted = jsonSchemaToZod?.(original);
    // Arguments are an object; the converter makes unions or records of some schemas, which providers refuse.
    if (converted instanceof z.ZodObject) return converted;
  } catch {
    // A schema it cannot convert (a pattern that is no RegExp, endless nesting) is described as any object.
  }
  return z.object({}).passthrough();
}
