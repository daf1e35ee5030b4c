import { fetchClient, type HttpClient } from './http-client.js';

/** The runtime's own `fetch`, where there is no HTTP client of Node's. */
export const nodeHttpClient: HttpClient = fetchClient((...request) => fetch(...request));
