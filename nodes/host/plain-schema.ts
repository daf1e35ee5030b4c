import type { HostPackages } from './packages.js';

/**
 * The original as it is, but an instance of the host's ZodType, so that n8n's agents leave it alone. For hosts whose
 * LangChain does not know Standard JSON Schema: there, whatever has no Zod definition is told to the model as it
 * stands. Nothing of Zod can be seen on it, neither by name nor in its JSON.
 */
export function plainSchema(original: object, { z }: Pick<HostPackages, 'z'>): object {
  const hidden = Object.getOwnPropertyNames(z.ZodType.prototype).filter((name) => name !== 'constructor');
  return Object.create(z.ZodType.prototype, {
    ...Object.fromEntries(hidden.map((name) => [name, { value: undefined, configurable: true }])),
    ...Object.getOwnPropertyDescriptors(original),
  }) as object; // of its prototype
}
