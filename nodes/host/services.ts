import { hostModule } from './modules.js';

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
