import type { N8nApi } from '../../../../../test-support/n8n/api.js';
import { quietEnvironment } from '../../../../../test-support/n8n/environment.js';
import { startOwnN8n } from '../../harness.js';

export interface ModuleHost extends AsyncDisposable {
  readonly api: N8nApi;
  /** The owner's own project, in which agents live. */
  readonly projectId: string;
}

/** An n8n with modules that the one of all other tests leaves out: each of them makes it start later. */
export async function startWithModules(modules: string[]): Promise<ModuleHost> {
  const disabled = (quietEnvironment('', 0, 0)['N8N_DISABLED_MODULES'] ?? '').split(',');
  const left = disabled.filter((module) => !modules.includes(module)).join(',');
  const own = await startOwnN8n({ N8N_DISABLED_MODULES: left });
  const { id: projectId } = await own.api.request<{ id: string }>('GET', '/rest/projects/personal');
  return { ...own, projectId };
}
