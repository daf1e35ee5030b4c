import type { AnyZodObject, ZodRawShape, ZodTypeAny } from 'zod';

/** Hosts need time for the square of it. The largest published tool has a tenth of it. */
export const mostProperties = 500;

export function shapeOf(
  properties: Record<string, unknown>,
  required: readonly unknown[],
  typeOf: (schema: unknown, name: string) => ZodTypeAny,
): ZodRawShape {
  const names = new Set(required);
  const shape = Object.entries(properties).map(([name, schema]): [string, ZodTypeAny] => {
    const type = typeOf(schema, name);
    // Zod finds out by parsing, where whatever has a default or takes anything passes as optional.
    return [name, names.has(name) ? (Object.assign(type, { isOptional: () => false }) as ZodTypeAny) : type.optional()];
  });
  return Object.fromEntries(shape);
}

/**
 * What holds for all other properties. By default it is `{}`, which n8n itself closes when it asks
 * OpenAI for the strict mode.
 */
export function withOthers(
  type: AnyZodObject,
  additionalProperties: unknown,
  typeOf: (schema: unknown) => ZodTypeAny,
): AnyZodObject {
  if (additionalProperties === false) return type.strict();
  return additionalProperties === true ? type.passthrough() : type.catchall(typeOf(additionalProperties ?? true));
}
