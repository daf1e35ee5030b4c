import { isObject } from '../../src/json/index.js';
import { hostModule } from './modules.js';

/** How many people the n8n that runs us knows, invited ones included. Undefined where it cannot be asked. */
export async function hostUsers(): Promise<number | undefined> {
  const count = await asked('UserRepository', (users) => users.count());
  return typeof count === 'number' ? count : undefined;
}

/** Whether a workflow has its nodes run in the order of n8n before 1.0. False where it cannot be asked. */
export async function hasLegacyOrder(workflowId: string): Promise<boolean> {
  const workflow = await asked('WorkflowRepository', (workflows) => workflows.findOneBy({ id: workflowId }));
  if (!isObject(workflow)) return false;
  return !isObject(workflow['settings']) || workflow['settings']['executionOrder'] !== 'v1';
}

interface Repository {
  count(): unknown;
  findOneBy(where: object): unknown;
}

/** Not in the public types; an n8n with other services ends in the `catch`. */
async function asked(repository: string, ask: (repository: Repository) => unknown): Promise<unknown> {
  try {
    const { Container } = hostModule('@n8n/di') as { Container: { get(service: unknown): Repository } };
    const repositories = hostModule('@n8n/db') as Record<string, unknown>;
    return await ask(Container.get(repositories[repository]));
  } catch {
    return undefined;
  }
}
