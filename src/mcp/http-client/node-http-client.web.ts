import { fetchClient, type HttpClient } from './http-client.js';

export const nodeHttpClient: HttpClient = fetchClient((...request) => fetch(...request));
