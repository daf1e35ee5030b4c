import { parseFlatted } from './flatted.js';
import { isAtLeast } from './install.js';

export interface Workflow {
  name: string;
  nodes: WorkflowNode[];
  connections: Record<string, Record<string, { node: string; type: string; index: number }[][]>>;
  settings?: Record<string, unknown>;
}

export interface WorkflowNode {
  id?: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: Record<string, unknown>;
  credentials?: Record<string, { id: string; name: string }>;
  webhookId?: string;
  onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  retryOnFail?: boolean;
  waitBetweenTries?: number;
}

export interface Item {
  json: Record<string, unknown>;
  binary?: Record<string, unknown>;
  error?: unknown;
}

export interface N8nError {
  message: string;
  description?: string | null;
  stack?: string;
  [field: string]: unknown;
}

/** One run of one node. */
interface NodeRun {
  executionStatus?: string;
  error?: N8nError;
  data?: Record<string, (Item[] | null)[]>;
  inputOverride?: Record<string, (Item[] | null)[]>;
  hints?: { message: string }[];
}

export interface Execution {
  id: string;
  status: string;
  error?: N8nError;
  /** The runs of each node, by the node's name. */
  runs: Record<string, NodeRun[]>;
  /** The items a node's last run sent to an output. */
  output(node: string, index?: number): Item[];
}

/** Does what a person does in the editor, over the editor's REST routes. */
export class N8nApi {
  private constructor(
    readonly url: string,
    private readonly cookie: string,
  ) {}

  /** Sets up the owner of a fresh n8n. */
  static async setUp(url: string, owner: Record<string, string>): Promise<N8nApi> {
    return new N8nApi(url, await cookieOf(await post(`${url}/rest/owner/setup`, owner)));
  }

  static async login(url: string, owner: { email: string; password: string }): Promise<N8nApi> {
    const login = { emailOrLdapLoginId: owner.email, password: owner.password };
    return new N8nApi(url, await cookieOf(await post(`${url}/rest/login`, login)));
  }

  /** Called for a workflow with a node or a credential that this n8n does not have. */
  static onAbsentNode: (what: string) => void = () => {};

  readonly #known = new Map<string, Promise<boolean>>();
  #listed: Promise<{ name: string; version: number | number[] }[]> | undefined;

  /** @returns the reference for a node's `credentials` */
  async createCredential(
    name: string,
    type: string,
    data: Record<string, unknown>,
  ): Promise<{ id: string; name: string }> {
    try {
      const { id } = await this.request<{ id: string }>('POST', '/rest/credentials', { name, type, data });
      return { id, name };
    } catch (error) {
      if (String(error).includes('Unrecognized credential type')) N8nApi.onAbsentNode(type);
      throw error;
    }
  }

  /** Runs a credential's test. */
  async testCredential(
    id: string,
    name: string,
    type: string,
    data: object,
  ): Promise<{ status: string; message: string }> {
    return await this.request('POST', '/rest/credentials/test', { credentials: { id, name, type, data } });
  }

  async createWorkflow(workflow: Workflow): Promise<string> {
    for (const node of workflow.nodes) {
      if (!(await this.#has(node))) N8nApi.onAbsentNode(`${node.type} ${node.typeVersion}`);
    }
    const { id } = await this.request<{ id: string }>('POST', '/rest/workflows', {
      settings: {},
      active: false,
      ...workflow,
    });
    return id;
  }

  /**
   * True if n8n describes or lists it: the list leaves out versions that it runs (2.3 of the AI Agent in 2.41), and
   * nodes that it converts to tools are only listed.
   */
  async #has({ type, typeVersion }: Workflow['nodes'][number]): Promise<boolean> {
    const key = `${type} ${typeVersion}`;
    const known = this.#known.get(key) ?? this.#describes(type, typeVersion);
    this.#known.set(key, known);
    return await known;
  }

  async #describes(name: string, version: number): Promise<boolean> {
    try {
      const nodeInfos = [{ name, version }];
      const [description] = await this.request<unknown[]>('POST', '/rest/node-types', { nodeInfos });
      if (description !== undefined && description !== null) return true;
    } catch {
      // n8n answers 500 if it has no such version.
    }
    this.#listed ??= this.#nodeTypes();
    return (await this.#listed).some((type) => type.name === name && [type.version].flat().includes(version));
  }

  async #nodeTypes(): Promise<{ name: string; version: number | number[] }[]> {
    const response = await fetch(`${this.url}/types/nodes.json`, { headers: this.headers });
    return (await response.json()) as { name: string; version: number | number[] }[]; // n8n's own file
  }

  /** Runs a workflow from its trigger, like the editor's button, and waits for the end. */
  async run(workflowId: string, trigger: string): Promise<Execution> {
    return await this.finished(await this.begin(workflowId, { triggerToStartFrom: { name: trigger } }));
  }

  /**
   * Starts a workflow without waiting for its end.
   *
   * @returns the execution's id
   */
  async begin(workflowId: string, start: object): Promise<string> {
    const path = `/rest/workflows/${workflowId}`;
    // Older versions get the workflow that the editor shows.
    const shown = isAtLeast(2, 41) ? {} : { workflowData: await this.request('GET', path) };
    return (await this.request<{ executionId: string }>('POST', `${path}/run`, { ...shown, ...start })).executionId;
  }

  /** The state of an execution; undefined if none is saved yet. */
  async status(executionId: string): Promise<string | undefined> {
    return (await this.#execution(executionId))?.status;
  }

  /** Resolves with an execution once it has ended. */
  async finished(executionId: string): Promise<Execution> {
    // An answer costs n8n as much as a short step, so a long execution is polled less often.
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
      const raw = await this.#execution(executionId);
      const isUnfinished = raw === undefined || ['new', 'running', 'waiting'].includes(raw.status);
      // Older versions save the end before the result.
      const read = isUnfinished ? undefined : readExecution(raw);
      if (read !== undefined) return read;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** Undefined if n8n 2.20 fails on an execution that is not saved yet. */
  async #execution(id: string): Promise<RawExecution | undefined> {
    try {
      return await this.request('GET', `/rest/executions/${id}`);
    } catch (error) {
      if (error instanceof Error && error.message.includes("reading 'resultData'")) return undefined;
      throw error;
    }
  }

  /** The editor's requests to a node: options, resource lists, resource mapper fields. */
  async nodeParameters(
    route: 'options' | 'resource-locator-results' | 'resource-mapper-fields',
    question: object,
  ): Promise<unknown> {
    return await this.request('POST', `/rest/dynamic-node-parameters/${route}`, question);
  }

  /** Headers that identify the person at any other route. */
  get headers(): Record<string, string> {
    return { ...ownConnection, cookie: this.cookie };
  }

  /** Calls any REST route, and unwraps `data`. */
  async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data: T }).data; // every REST route answers with { data }
  }
}

/**
 * n8n closes connections that were idle for five seconds. A client that was busy for as long, on a loaded machine or
 * with thousands of schemas, would send into one that is about to close.
 */
export const ownConnection = { connection: 'close' };

async function post(url: string, body: unknown): Promise<Response> {
  const headers = { ...ownConnection, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`n8n answered ${response.status} to ${url}: ${await response.text()}`);
  return response;
}

async function cookieOf(response: Response): Promise<string> {
  await response.arrayBuffer();
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

interface RawExecution {
  id: string;
  status: string;
  /** Flatted: strings inside are references. */
  data: string;
}

function readExecution({ id, status, data }: RawExecution): Execution | undefined {
  const saved = parseFlatted(data) as
    { resultData: { error?: N8nError; runData?: Record<string, NodeRun[]> } } | undefined;
  if (saved === undefined) return undefined;
  const { resultData } = saved;
  const runs = resultData.runData ?? {};
  return {
    id,
    status,
    ...(resultData.error ? { error: resultData.error } : {}),
    runs,
    output: (node, index = 0) => runs[node]?.at(-1)?.data?.['main']?.[index] ?? [],
  };
}
