/**
 * The schema that a model is given: the very object that stood on the wire.
 *
 * Only where its root names no `type`, a copy says `type: "object"` in front of the original. Arguments are an object
 * in any case, and providers refuse the whole request otherwise (two published servers send nothing but
 * `$schema`). It never validates.
 */
export function modelSchema(tool: {
  readonly inputSchema: Readonly<Record<string, unknown>>;
}): Record<string, unknown> {
  const { inputSchema } = tool;
  // The catalogue's type is read-only because the object is frozen; hosts' types do not know that.
  if (inputSchema['type'] !== undefined) return inputSchema;
  return { type: 'object', ...inputSchema };
}
