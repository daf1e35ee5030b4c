import type { ZodType } from 'zod';
import { descriptionLines, zodArguments } from './arguments.js';
import { dressed, type Zod, type ZodContext } from './context.js';
import { plainZod4Schema, zod4Facade, zod4In } from './zod4.js';

/**
 * A real Zod type of the host's Zod that hands out the original schema to whoever asks for JSON Schema, and lets every
 * value through: the original schema decides, when the tool is called.
 *
 * n8n's agents replace any schema that is not an instance of their own ZodType by a lossy conversion; LangChain (core
 * 1.2 and later) asks a schema for its Standard JSON Schema (`~standard.jsonSchema`) before it converts anything
 * itself. Nodes that look no further than Zod find the same there, as far as Zod can say it.
 */
export function schemaFacade(original: object, context: ZodContext): ZodType {
  const z4 = zod4In(context.z);
  return z4
    ? zod4Facade(original, z4)
    : zod3Facade(zodArguments(original, context), original, descriptionLines(original));
}

function zod3Facade(body: ZodType, original: object, description: readonly string[]): ZodType {
  return dressed(body.describe(description.join('\n')), original, {
    // Every parse method of Zod 3, of this type and of types it is put into, ends here.
    _parse: (input: { data: unknown }) => ({ status: 'valid', value: input.data }),
    // Zod finds these out by parsing, and every value passes here. Arguments are an object.
    isOptional: () => false,
    isNullable: () => false,
    describe: (text: string) => zod3Facade(body, original, [text, ...descriptionLines(original)]),
  });
}

/**
 * The original as it is, but an instance of the host's ZodType, so that n8n's agents leave it alone. For hosts whose
 * LangChain does not know Standard JSON Schema: there, whatever has no Zod definition reaches the model as it
 * stands. Nothing of Zod can be seen on it, neither by name nor in its JSON.
 */
export function plainSchema(original: object, z: Zod): object {
  if (zod4In(z)) return plainZod4Schema(original);
  const ofZod = Object.getOwnPropertyNames(z.ZodType.prototype);
  // What the original has itself, `description` for instance, keeps its place among the members.
  const hidden = ofZod.filter((name) => name !== 'constructor' && !Object.hasOwn(original, name));
  return Object.create(z.ZodType.prototype, {
    ...Object.fromEntries(hidden.map((name) => [name, { value: undefined, configurable: true }])),
    ...Object.getOwnPropertyDescriptors(original),
  }) as object; // of its prototype
}
