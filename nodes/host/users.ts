import { hostModule } from './modules.js';

/** How many people the n8n that runs us knows, invited ones included. Undefined where it cannot be asked. */
export async function hostUsers(): Promise<number | undefined> {
  try {
    // Not in the public types; an n8n with another service ends in the `catch`.
    const { Container } = hostModule('@n8n/di') as { Container: { get(service: unknown): { count(): unknown } } };
    const { UserRepository } = hostModule('@n8n/db') as { UserRepository: unknown };
    const count = await Container.get(UserRepository).count();
    return typeof count === 'number' ? count : undefined;
  } catch {
    return undefined;
  }
}
