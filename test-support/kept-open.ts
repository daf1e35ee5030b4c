import type { ServerOptions } from 'node:http';

/**
 * For a server of a test: it never closes a connection by itself. Node's does after five idle seconds, and a client that was
 * busy for as long, as n8n on a loaded machine, sends its next request into a connection that is gone.
 */
export const keptOpen: ServerOptions = { keepAliveTimeout: 0 };
