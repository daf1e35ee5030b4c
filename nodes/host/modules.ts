import { createRequire } from 'node:module';

const agents = '@n8n/n8n-nodes-langchain';

/**
 * Loads a module in the copy that n8n's AI nodes use: they do not recognise classes and Zod types of another copy. A plain
 * `require` may find another copy or none: npm nests packages, pnpm separates them, and n8n 1.x itself lacks some.
 *
 * `import()` ignores NODE_PATH, which holds n8n's packages, and finds the ESM copy.
 */
export function hostModule(name: string): unknown {
  for (const require of (found ??= hostRequires())) {
    const module = tried(() => require(name) as unknown);
    if (module !== undefined) return module;
  }
  return undefined;
}

let found: readonly NodeJS.Require[] | undefined;

/** Resolves like the AI nodes first, then like n8n's own program, then like this package. */
export function hostRequires(program = createRequire(__filename).main?.filename): readonly NodeJS.Require[] {
  const from = [program, __filename].flatMap((file) => (file === undefined ? [] : createRequire(file)));
  const installed = from.flatMap((require) => tried(() => require.resolve(`${agents}/package.json`)) ?? []);
  // n8n was started in another way. A node asks for the tools, so its package is loaded.
  const loaded = Object.keys(createRequire(__filename).cache).filter((file) => inAgents.test(file));
  const [manifest] = [...installed, ...loaded];
  return [...(manifest === undefined ? [] : [createRequire(manifest)]), ...from];
}

const inAgents = new RegExp(`[/\\\\]${agents.replace('/', String.raw`[/\\]`)}[/\\\\]`);

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

type Fetch = typeof fetch;

/** Not in the public types. If an n8n has other services, calls throw and are caught. */
interface Services {
  UserRepository: { count(): Promise<unknown> };
  OutboundHttp: { transport(options: object): { asCustomFetch(): Fetch } };
}

/** The number of users, including invited ones. Undefined if n8n does not tell. */
export async function hostUsers(): Promise<number | undefined> {
  try {
    const count = await service('@n8n/db', 'UserRepository').count();
    return typeof count === 'number' ? count : undefined;
  } catch {
    return undefined;
  }
}

let shared: { fetch: Fetch | undefined } | undefined;

/**
 * n8n's fetch, which uses its proxy and its policy on addresses that a workflow may reach (SSRF protection). Undefined if
 * this n8n has none to share; the library then uses Node's.
 */
export function hostFetch(): Fetch | undefined {
  if (shared) return shared.fetch;
  try {
    // The library has its own time limits. undici's would end event streams that are merely quiet.
    const transport = service('@n8n/backend-network', 'OutboundHttp').transport({
      timeouts: { headersTimeout: 0, bodyTimeout: 0 },
    });
    shared = { fetch: transport.asCustomFetch() };
  } catch {
    shared = { fetch: undefined };
  }
  return shared.fetch;
}

function service<Name extends keyof Services>(module: string, name: Name): Services[Name] {
  const { Container } = hostModule('@n8n/di') as { Container: { get(service: unknown): Services[Name] } }; // its one class
  return Container.get((hostModule(module) as Record<string, unknown>)[name]); // an object of classes
}
