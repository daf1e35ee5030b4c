import type { ServerOptions } from 'node:http';

/**
 * Makes a test's server keep its connections open. Node's servers close a connection after five idle seconds, so a
 * client that was busy for as long, such as n8n on a loaded machine, would send into a closed one.
 */
export const keptOpen: ServerOptions = { keepAliveTimeout: 0 };
