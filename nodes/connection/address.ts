import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { AuthProvider, HttpAddress, ServerAddress } from '../../src/internal.js';
import { namedValues, rows, textOf } from '../collection.js';
import { hostFetch } from '../host/services.js';
import { stdioCredential } from './parameters.js';

/** Where the server of a credential is. Checks nothing: the library names what is wrong. */
export function serverAddress(type: string, data: ICredentialDataDecryptedObject): ServerAddress {
  return type === stdioCredential ? stdioAddress(data) : httpAddress(data);
}

function httpAddress(data: ICredentialDataDecryptedObject): ServerAddress {
  return {
    transport: data.transport === 'sse' ? 'sse' : 'http',
    url: field(data.url).trim(),
    headers: authentication(data),
    ...throughHost(),
  };
}

/** The server of an OAuth2 credential, with the tokens that n8n keeps. */
export function oauth2Address(data: ICredentialDataDecryptedObject, authProvider: AuthProvider): ServerAddress {
  return { url: field(data.serverUrl).trim(), authProvider, ...throughHost() };
}

function throughHost(): Pick<HttpAddress, 'fetch'> {
  const fetch = hostFetch();
  return fetch ? { fetch } : {};
}

function authentication(data: ICredentialDataDecryptedObject): Record<string, string> {
  if (data.authentication === 'bearer') return { Authorization: `Bearer ${field(data.token)}` };
  return data.authentication === 'headers' ? namedValues(data.headers) : {};
}

function stdioAddress(data: ICredentialDataDecryptedObject): ServerAddress {
  const cwd = field(data.workingDirectory).trim();
  return {
    transport: 'stdio',
    command: field(data.command).trim(),
    args: rows(data.args).map(({ value }) => field(value)),
    env: namedValues(data.environment),
    ...(cwd === '' ? {} : { cwd }),
  };
}

/** A field is empty where it was never filled in. */
function field(value: unknown): string {
  return value === undefined || value === null ? '' : textOf(value);
}
