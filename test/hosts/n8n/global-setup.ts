import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installCommunityPackage, packPackage } from '../../../test-support/n8n/community-package.js';
import { installHost } from '../../../test-support/n8n/install.js';
import { quietEnvironment } from '../../../test-support/n8n/environment.js';
import { startN8n } from '../../../test-support/n8n/start.js';
import { createUserFolder } from '../../../test-support/n8n/user-folder.js';

declare module 'vitest' {
  interface ProvidedContext {
    n8nUrl: string;
    n8nLog: string;
    tarball: string;
  }
}

/**
 * One real n8n for all test files, with the package installed from its tarball, and with two modules that other tests
 * leave out.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const say = (step: string) => console.log(step);
  const host = await installHost(say);
  const packed = await mkdtemp(join(tmpdir(), 'mcp-verbatim-pack-'));
  const tarball = await packPackage(packed);
  const userFolder = await createUserFolder(host, say);
  await installCommunityPackage(userFolder, tarball);
  const disabled = quietEnvironment(userFolder, 0, 0)['N8N_DISABLED_MODULES']!.split(',');
  const others = disabled.filter((module) => module !== 'agents' && module !== 'chat-hub').join(',');
  const n8n = await startN8n(host, { userFolder, env: { N8N_DISABLED_MODULES: others } });
  project.provide('n8nUrl', n8n.url);
  project.provide('n8nLog', n8n.logFile);
  project.provide('tarball', tarball);
  return async () => {
    await n8n.stop();
    if (process.env['MCP_VERBATIM_KEEP']) console.log(`Kept: ${userFolder}`);
    else await rm(userFolder, { recursive: true, force: true });
    await rm(packed, { recursive: true, force: true });
  };
}
