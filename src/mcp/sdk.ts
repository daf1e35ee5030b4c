import type * as Sdk from '@modelcontextprotocol/client';

/**
 * The MCP SDK, loaded when the first connection is opened: importing this package costs nothing until then, and
 * everything that knows the SDK goes through here.
 */
export function loadSdk(): Promise<typeof Sdk> {
  return import('@modelcontextprotocol/client');
}
