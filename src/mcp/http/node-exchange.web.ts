import { throughFetch, type Exchange } from './exchange.js';

/** Stands in where there is no HTTP client of Node's: the runtime's own `fetch`. */
export const nodeExchange: Exchange = throughFetch((...request) => fetch(...request));
