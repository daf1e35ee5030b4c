import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { isObject } from '../../src/json/index.js';
import type { AuthProvider, HttpAddress, ServerAddress } from '../../src/internal.js';
import { hostFetch } from '../host/fetch.js';
import { httpCredential, stdioCredential } from './parameters.js';

/** Where the server is, from what stands in a credential. Checks nothing: the library names what is wrong. */
export function serverAddress(type: string, data: ICredentialDataDecryptedObject): ServerAddress {
  if (type === httpCredential) return httpAddress(data);
  if (type === stdioCredential) return stdioAddress(data);
  throw new TypeError(`A credential of type "${type}" cannot connect to an MCP server.`);
}

function httpAddress(data: ICredentialDataDecryptedObject): ServerAddress {
  return {
    transport: data.transport === 'sse' ? 'sse' : 'http',
    url: text(data.url).trim(),
    headers: authentication(data),
    ...throughHost(),
  };
}

/** The server of an OAuth2 credential, which gets the tokens that somebody else keeps. */
export function oauth2Address(data: ICredentialDataDecryptedObject, authProvider: AuthProvider): ServerAddress {
  return { url: text(data.serverUrl).trim(), authProvider, ...throughHost() };
}

function throughHost(): Pick<HttpAddress, 'fetch'> {
  const fetch = hostFetch();
  return fetch ? { fetch } : {};
}

function authentication(data: ICredentialDataDecryptedObject): Record<string, string> {
  if (data.authentication === 'bearer') return { Authorization: `Bearer ${text(data.token)}` };
  if (data.authentication === 'headers') return pairs(data.headers);
  return {};
}

function stdioAddress(data: ICredentialDataDecryptedObject): ServerAddress {
  const directory = text(data.workingDirectory).trim();
  return {
    transport: 'stdio',
    command: text(data.command).trim(),
    args: rows(data.args).map((row) => text(row.value)),
    env: pairs(data.environment),
    ...(directory === '' ? {} : { cwd: directory }),
  };
}

function pairs(collection: unknown): Record<string, string> {
  const named = rows(collection).filter((row) => text(row.name).trim() !== '');
  return Object.fromEntries(named.map((row) => [text(row.name).trim(), text(row.value)]));
}

/** The rows of a fixedCollection: `{ values: [{...}, ...] }`. */
function rows(collection: unknown): Readonly<Record<string, unknown>>[] {
  const values = isObject(collection) ? collection.values : undefined;
  return Array.isArray(values) ? values.filter(isObject) : [];
}

function text(value: unknown): string {
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}
