import { exchangeOver, throughFetch, type Exchange, type HostAgents } from '../../src/mcp/index.js';
import { hostModule } from './modules.js';

/** What of n8n's service is used here. Not in the public types; an n8n with another one ends in the `catch` below. */
interface Outbound {
  transport(options: object): { asCustomFetch(): typeof fetch; getNodeAgent(options: object): HostAgents };
  /** Not in every n8n that has the rest. */
  egressFilter?(): { validateUrl(url: URL): Promise<{ ok: true } | { ok: false; error: Error }> };
}

let asked = false;
let found: Exchange | undefined;

/**
 * HTTP as the n8n that runs us has it: through the proxy of its environment, and under its policy on which addresses a
 * workflow may reach (SSRF protection). Undefined where this n8n has none to share; the library then uses its own.
 */
export function hostExchange(): Exchange | undefined {
  if (!asked) found = outboundExchange();
  asked = true;
  return found;
}

function outboundExchange(): Exchange | undefined {
  try {
    const { Container } = hostModule('@n8n/di') as { Container: { get(service: unknown): Outbound } };
    const { OutboundHttp } = hostModule('@n8n/backend-network') as { OutboundHttp: unknown };
    return exchangeOf(Container.get(OutboundHttp));
  } catch {
    return undefined;
  }
}

/**
 * Over n8n's agents: connecting and a call take a quarter less of the processor than with its `fetch`. The agents look at what
 * they connect to, which may be a proxy, and so the filter is asked about the address itself.
 */
export function exchangeOf(outbound: Outbound): Exchange {
  // The library has time limits of its own; undici's would cut off event streams that are merely quiet.
  const transport = outbound.transport({ timeouts: { headersTimeout: 0, bodyTimeout: 0 } });
  const filter = outbound.egressFilter?.();
  if (!filter) return throughFetch(transport.asCustomFetch());
  const allow = async (url: URL) => {
    const allowed = await filter.validateUrl(url);
    if (!allowed.ok) throw allowed.error;
  };
  return exchangeOver((options) => transport.getNodeAgent(options), allow);
}
