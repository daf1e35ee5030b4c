import { hostModule } from './modules.js';

type Fetch = typeof fetch;

/** What of n8n's service is used here. Not in the public types; an n8n with another one ends in the `catch` below. */
interface Outbound {
  transport(options: object): { asCustomFetch(): unknown };
}

let asked = false;
let found: Fetch | undefined;

/**
 * The fetch of the n8n that runs us: through the proxy of its environment, and under its policy on which addresses a
 * workflow may reach (SSRF protection). Undefined where this n8n has none to share; the library then uses Node's own.
 */
export function hostFetch(): Fetch | undefined {
  if (!asked) found = outboundFetch();
  asked = true;
  return found;
}

function outboundFetch(): Fetch | undefined {
  try {
    // Not in the public types; an n8n with other services ends in the `catch`.
    const { Container } = hostModule('@n8n/di') as { Container: { get(service: unknown): Outbound } };
    const { OutboundHttp } = hostModule('@n8n/backend-network') as { OutboundHttp: unknown };
    // The library has time limits of its own; undici's would cut off event streams that are merely quiet.
    const outbound = Container.get(OutboundHttp)
      .transport({ timeouts: { headersTimeout: 0, bodyTimeout: 0 } })
      .asCustomFetch();
    return typeof outbound === 'function' ? (outbound as Fetch) : undefined; // as its name says
  } catch {
    return undefined;
  }
}
