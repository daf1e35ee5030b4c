import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, inject, TestRunner } from 'vitest';
import type { ScriptedModel } from '../../../test-support/model/model.js';
import { N8nApi, type Execution, type Workflow, type WorkflowNode } from '../../../test-support/n8n/api.js';
import { installCommunityPackage } from '../../../test-support/n8n/community-package.js';
import { noTaskRunner } from '../../../test-support/n8n/environment.js';
import { installHost, isAtLeast } from '../../../test-support/n8n/install.js';
import { startModelFor } from '../../../test-support/n8n/scripted-model.js';
import { startN8n, type RunningN8n } from '../../../test-support/n8n/start.js';
import { createUserFolder, owner } from '../../../test-support/n8n/user-folder.js';
import type { CredentialReference } from '../../../test-support/n8n/workflows.js';

// Older versions lack some nodes. Tests that need them are shown as skipped; CI knows which may be.
N8nApi.onAbsentNode = (what) => {
  const test = TestRunner.getCurrentTest();
  if (test) Object.assign(test.meta, { absent: what });
  test?.context.skip(`this n8n has no ${what}`);
};

/** Ends a test that no node can pass in the n8n under test. It is shown like one whose node is absent. */
export function lacks(what: string): void {
  N8nApi.onAbsentNode(what);
}

/** n8n 2.20 runs the calls of an MCP Server Trigger on workers, and accepts no toolkits there. */
export function lacksToolkitsOnWorkers(): void {
  if (isAtLeast(2, 20) && !isAtLeast(2, 41)) lacks('toolkits of an MCP Server Trigger on workers');
}

/** The body that the editor sends for "Execute step" on a tool. */
export function stepOf(tool: string, args: object): object {
  return { query: isAtLeast(2, 20) ? { [tool]: args } : args, tool: { name: tool } };
}

export interface Bench extends AsyncDisposable {
  readonly api: N8nApi;
  readonly model: ScriptedModel;
  readonly modelNode: WorkflowNode;
  httpCredential(url: string, more?: Record<string, unknown>): Promise<CredentialReference>;
  stdioCredential(command: string, args?: string[], environment?: Record<string, string>): Promise<CredentialReference>;
  run(workflow: Workflow): Promise<Execution>;
  /** Starts an existing workflow without waiting for its end; returns the execution's id. */
  begin(workflowId: string, more?: object): Promise<string>;
  /** Calls a node's method as the editor does while the node's panel is open. */
  ask<Answer>(route: EditorRoute, node: WorkflowNode, methodName: string): Promise<Answer>;
  /** The results of its calls that the model read in the last request. */
  answers(): string[];
}

export type { CredentialReference };

export type EditorRoute = Parameters<N8nApi['nodeParameters']>[0];

export const useBench = (): Bench => used(openBench);

/** Opens something before the first test of a file or group, and closes it after the last. */
export function used<T extends AsyncDisposable>(open: () => Promise<T>): T {
  return opened(open, beforeAll, afterAll);
}

export function usedEach<T extends AsyncDisposable>(open: () => Promise<T>): T {
  return opened(open, beforeEach, afterEach);
}

/** A credential for a server whose URL is known once the server runs. */
export function usedCredential(
  bench: Bench,
  url: () => string,
  before = beforeAll,
  more: Record<string, unknown> = {},
): CredentialReference {
  const credential: CredentialReference = {};
  before(async () => void Object.assign(credential, await bench.httpCredential(url(), more)));
  return credential;
}

function opened<T extends AsyncDisposable>(
  open: () => Promise<T>,
  before: (hook: () => Promise<void>) => void,
  after: (hook: () => PromiseLike<void> | undefined) => void,
): T {
  let current: T | undefined;
  before(async () => {
    current = await open();
  });
  after(() => current?.[Symbol.asyncDispose]());
  // The value exists only while tests run.
  return new Proxy({} as T, { get: (_, name) => Reflect.get(current!, name) as unknown });
}

/** The n8n that all files share. Files in one process also share its login and its list of nodes. */
let shared: Promise<N8nApi> | undefined;

/** @param n8n default: the one that all files share */
export async function openBench(n8n?: N8nApi): Promise<Bench> {
  const api = n8n ?? (await (shared ??= N8nApi.login(inject('n8nUrl'), owner)));
  const { model, modelNode } = await startModelFor(api);
  return {
    api,
    model,
    modelNode,
    async httpCredential(url, more = {}) {
      const data = { url, transport: 'http', authentication: 'none', ...more };
      return { mcpVerbatimHttpApi: await api.createCredential(`Server ${url}`, 'mcpVerbatimHttpApi', data) };
    },
    async stdioCredential(command, args = [], environment = {}) {
      const data = {
        command,
        args: { values: args.map((value) => ({ value })) },
        environment: { values: Object.entries(environment).map(([name, value]) => ({ name, value })) },
        workingDirectory: '',
      };
      return { mcpVerbatimStdioApi: await api.createCredential(`Server ${command}`, 'mcpVerbatimStdioApi', data) };
    },
    async run(workflow) {
      return await api.run(await api.createWorkflow(workflow), 'Start');
    },
    begin: (workflowId, more = {}) => api.begin(workflowId, { triggerToStartFrom: { name: 'Start' }, ...more }),
    async ask<Answer>(route: EditorRoute, node: WorkflowNode, methodName: string) {
      const answer = await api.nodeParameters(route, {
        path: 'parameters.asked',
        methodName,
        nodeTypeAndVersion: { name: node.type, version: node.typeVersion },
        currentNodeParameters: node.parameters,
        credentials: node.credentials,
      });
      return answer as Answer; // as the node declares it
    },
    answers() {
      const messages = model.requests.at(-1)?.json.messages ?? [];
      return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
    },
    [Symbol.asyncDispose]: () => model.stop(),
  };
}

export interface OwnN8n extends AsyncDisposable {
  readonly api: N8nApi;
  readonly n8n: RunningN8n;
}

/** An n8n of its own with the package or without, for tests that cannot run in the shared one. */
export async function startOwnN8n(env: Record<string, string> = {}, hasPackage = true): Promise<OwnN8n> {
  const host = await installHost();
  const userFolder = await createUserFolder(host);
  const remove = () => rm(userFolder, { recursive: true, force: true });
  try {
    if (hasPackage) await installCommunityPackage(userFolder, inject('tarball'));
    const n8n = await startN8n(host, { userFolder, env: { ...noTaskRunner, ...env } });
    const api = await N8nApi.login(n8n.url, owner);
    return { api, n8n, [Symbol.asyncDispose]: () => n8n.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
