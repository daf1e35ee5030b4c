/* eslint-disable @typescript-eslint/no-require-imports -- see packages.ts */

type Fetch = typeof fetch;

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
    const { Container } = require('@n8n/di');
    const { OutboundHttp } = require('@n8n/backend-network');
    // The library has time limits of its own; undici's would cut off event streams that are merely quiet.
    const outbound: unknown = Container.get(OutboundHttp)
      .transport({ timeouts: { headersTimeout: 0, bodyTimeout: 0 } })
      .asCustomFetch();
    return typeof outbound === 'function' ? (outbound as Fetch) : undefined;
  } catch {
    return undefined;
  }
}
