/* eslint-disable @typescript-eslint/no-require-imports -- see packages.ts */

/** How many people the n8n that runs us knows, invited ones included. Undefined where it cannot be asked. */
export async function hostUsers(): Promise<number | undefined> {
  try {
    const { Container } = require('@n8n/di');
    const { UserRepository } = require('@n8n/db');
    const count: unknown = await Container.get(UserRepository).count();
    return typeof count === 'number' ? count : undefined;
  } catch {
    return undefined;
  }
}
