import { jsonText, messageOf } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import type { Requester } from './requests.js';

/** Node's own switch for the output of its modules, and of packages that follow it; other runtimes may have no process. */
const isOn = /(^|,)\s*mcp-verbatim\s*(,|$)/i.test(
  (globalThis as { process?: { env?: { NODE_DEBUG?: string } } }).process?.env?.NODE_DEBUG ?? '',
);

/** Characters of a request or an answer that are shown. */
const longestShown = 10_000;

/**
 * With `NODE_DEBUG=mcp-verbatim`, every request and what became of it is written to stderr, secrets masked: those of the
 * address, those of the request, and what looks like one.
 */
export function withDebugLog(ask: Requester, mask: SecretMask): Requester {
  if (!isOn) return ask;
  return async (method, params, options = {}) => {
    const hidden = options.secrets ? mask.with(options.secrets()) : mask;
    // eslint-disable-next-line no-console
    const show = (text: string) => console.error(`MCP-VERBATIM ${hidden(text, longestShown)}`);
    show(`> ${method} ${options.argumentsText ?? jsonText(params)}`);
    try {
      const reply = await ask(method, params, options);
      show(`< ${method} ${jsonText(reply.result)}`);
      return reply;
    } catch (error) {
      show(`< ${method} failed: ${messageOf(error)}`);
      throw error;
    }
  };
}
