type Schema = Readonly<Record<string, unknown>>;

/** A host asks again every time a model is asked, and compares by identity what it was given. */
const completed = new WeakMap<Schema, Schema>();

/**
 * The schema that a model is given: the very object that stood on the wire.
 *
 * Only where its root names no `type`, or has no `properties`, a copy says `"type": "object"` in front of the original and
 * `"properties": {}` behind it. Arguments are an object in any case, and no property is declared, so neither says anything
 * new; providers refuse the whole request otherwise (OpenAI: "object schema missing properties"). It never validates.
 */
export function modelSchema(tool: { readonly inputSchema: Schema }): Record<string, unknown> {
  const { inputSchema } = tool;
  const { type, properties } = inputSchema;
  // The catalogue's type is read-only because the object is frozen; hosts' types do not know that.
  if (type !== undefined && properties !== undefined) return inputSchema;
  const known = completed.get(inputSchema);
  if (known) return known;
  const whole = Object.freeze({
    ...(type === undefined && { type: 'object' }),
    ...inputSchema,
    ...(properties === undefined && { properties: {} }),
  });
  // Of one that may yet change, nothing is kept.
  if (Object.isFrozen(inputSchema)) completed.set(inputSchema, whole);
  return whole;
}
