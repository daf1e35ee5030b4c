import type { CompiledSchema } from './compile.js';
import type { Dialect } from './dialects/index.js';

const byIdentity = new WeakMap<object, Map<Dialect, CompiledSchema>>();

/** What was compiled for this very object. */
export function recall(schema: unknown, dialect: Dialect): CompiledSchema | undefined {
  return typeof schema === 'object' && schema !== null ? byIdentity.get(schema)?.get(dialect) : undefined;
}

export function remember(schema: unknown, dialect: Dialect, compiled: CompiledSchema): void {
  if (typeof schema !== 'object' || schema === null) return;
  const known = byIdentity.get(schema);
  if (known) known.set(dialect, compiled);
  else byIdentity.set(schema, new Map([[dialect, compiled]]));
}
