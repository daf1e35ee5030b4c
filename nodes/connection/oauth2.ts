import { createHash } from 'node:crypto';
import type {
  ICredentialDataDecryptedObject,
  ILoadOptionsFunctions,
  INode,
  INodeCredentialsDetails,
} from 'n8n-workflow';
import { isObject } from '../../src/json/index.js';
import { secretMask } from '../../src/secrets/index.js';
import type { AuthProvider } from '../../src/internal.js';
import { readable, SetupError } from '../errors.js';
import { signInCredential } from './parameters.js';
import { BoundedMap, type RunContext } from '../host/execution.js';

type Host = RunContext | ILoadOptionsFunctions;

/** The access token that n8n stored in a credential. */
export function accessToken({ oauthTokenData }: ICredentialDataDecryptedObject): string | undefined {
  return tokenIn(oauthTokenData);
}

/**
 * The tokens of a credential, as n8n has them. n8n renews them, under its own lock and into its database, so that nodes,
 * workers and other packages agree about the current one.
 */
export function hostTokens(
  host: Host,
  read: () => Promise<ICredentialDataDecryptedObject>,
  data: ICredentialDataDecryptedObject,
): AuthProvider {
  let current = accessToken(data);
  return {
    token: async () => (current ??= await firstToken(host, read, data)),
    async onUnauthorized() {
      const latest = await read();
      const stored = accessToken(latest);
      // Another node may have had it renewed meanwhile.
      const fresh = stored !== current ? stored : await renewedOnce(stored, () => renewed(host, latest));
      const origin = originOf(current);
      if (origin !== undefined && fresh !== undefined && fresh !== current) origins.set(hashOf(fresh), origin);
      current = fresh;
    },
  };
}

/** Throws where the credential was never connected: without a token, the server could only refuse. */
export function refuseUnconnected(node: INode, data: ICredentialDataDecryptedObject): void {
  if (accessToken(data) !== undefined || isForPrograms(data)) return;
  const advice = 'Open the credential and connect it to your account.';
  throw new SetupError(`The credential ${nameOf(node)} is not connected yet`, advice);
}

/**
 * Refuses what an authorization server had n8n keep for it and n8n would evaluate: it does so with a whole credential
 * whenever a node reads it, tokens and registration included, and the result is sent back to that server (n8n 2.41,
 * credentials-helper.js). So this looks at the credential before it is read.
 */
export async function refuseExpressions(host: Host): Promise<void> {
  const node = host.getNode();
  const reference = node.credentials?.[signInCredential];
  if (!reference) return;
  const { additionalData } = host as unknown as CredentialHost; // every context has it, but no public type
  const { credentialsHelper } = additionalData;
  const mode = 'getMode' in host ? host.getMode() : 'internal';
  const raw = await credentialsHelper.getDecrypted(additionalData, reference, signInCredential, mode, undefined, true);
  // The default is not saved.
  const registered = raw.useDynamicClientRegistration === false ? [] : registrationFields.map((field) => raw[field]);
  if (!holdsExpression([raw.oauthTokenData, ...registered])) return;
  throw new SetupError(
    `The credential ${nameOf(node)} holds an expression that the server put there`,
    'The authorization server gave a token, or a registration, that n8n would evaluate and send back with what the workflow holds. The node has sent nothing. Do not use this server.',
  );
}

/** What n8n fills in when it registers by itself (dcr-managed-fields.js). */
const registrationFields = [
  ...['authUrl', 'accessTokenUrl', 'grantType', 'authentication', 'usePkce', 'clientId', 'clientSecret', 'scope'],
];

/** Not in the public types; the same in n8n 1.123 to 2.41. Where it is another one, this fails, and nothing is sent. */
interface CredentialHost {
  additionalData: {
    credentialsHelper: {
      getDecrypted(
        additionalData: unknown,
        reference: INodeCredentialsDetails,
        type: string,
        mode: string,
        executeData: undefined,
        raw: true,
      ): Promise<ICredentialDataDecryptedObject>;
    };
  };
}

function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('=');
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

/** The server's refusal of a token that could not be renewed either, as advice to whoever owns the credential. */
export function credentialAdvice(node: INode, data: ICredentialDataDecryptedObject, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'AUTHORIZATION_REQUIRED')) return error;
  const [what, advice] = isForPrograms(data)
    ? ['is refused', 'Check the client ID, the secret and the scope in the credential.']
    : ['has to be connected again', 'Open the credential and connect it again.'];
  return new SetupError(`The credential ${nameOf(node)} ${what}`, `${error.message} ${advice}`);
}

function nameOf(node: INode): string {
  const name = node.credentials?.[signInCredential]?.name;
  return name === undefined ? 'for OAuth2' : `"${name}"`;
}

/**
 * Nobody signs in for the grant of client credentials: n8n fetches the first token with the first request that it makes
 * itself.
 */
async function firstToken(
  host: Host,
  read: () => Promise<ICredentialDataDecryptedObject>,
  data: ICredentialDataDecryptedObject,
): Promise<string | undefined> {
  if (!isForPrograms(data)) return undefined;
  await withReason('n8n did not get an access token', data, async () => {
    await host.helpers.httpRequestWithAuthentication.call(host, signInCredential, {
      method: 'HEAD',
      url: typeof data.serverUrl === 'string' ? data.serverUrl : '',
      ignoreHttpStatusErrors: true,
      disableFollowRedirect: true,
    });
  });
  return accessToken(await read());
}

function isForPrograms({ grantType }: ICredentialDataDecryptedObject): boolean {
  return grantType === 'clientCredentials';
}

const renewals = new Map<string, Promise<string | undefined>>();

/**
 * Executions whose token is refused at once share its renewal: before 2.41 n8n has no lock, and a refresh token may be
 * good for once.
 */
function renewedOnce(token: string | undefined, renew: () => Promise<string | undefined>): Promise<string | undefined> {
  if (token === undefined) return renew();
  const renewal =
    renewals.get(token) ??
    renew().finally(() => {
      renewals.delete(token);
    });
  renewals.set(token, renewal);
  return renewal;
}

/**
 * n8n renews the token that it reads when it is asked, unless another worker has renewed that one when the lock is had.
 * One renewed between our reading and n8n's would be renewed again, so n8n reads what we read: the token refused.
 */
async function renewed(host: Host, data: ICredentialDataDecryptedObject): Promise<string | undefined> {
  return await withReason('n8n could not renew the access token', data, async () => {
    const refused = Object.create(host, { getCredentials: { value: () => Promise.resolve(data) } }) as Host;
    const tokens: unknown = await host.helpers.refreshOAuth2Token.call(refused, signInCredential);
    return tokenIn(tokens);
  });
}

/** Whatever n8n throws may quote what it sent and received, so no secret of the credential may pass. */
async function withReason<T>(what: string, data: ICredentialDataDecryptedObject, work: () => Promise<T>): Promise<T> {
  return await work().catch((error: unknown) => {
    const reason = masked(readable(error).message, data).replace(/\.$/, '');
    throw new Error(`${what}: ${reason}`);
  });
}

function masked(text: string, { clientSecret, oauthTokenData }: ICredentialDataDecryptedObject): string {
  const tokens = isObject(oauthTokenData)
    ? Object.entries(oauthTokenData).filter(([name]) => /token$/i.test(name))
    : [];
  const secrets = [clientSecret, ...tokens.map(([, value]) => value)].filter(
    (value): value is string => typeof value === 'string',
  );
  return secretMask(secrets)(text);
}

function tokenIn(tokens: unknown): string | undefined {
  const token = isObject(tokens) ? (tokens.access_token ?? tokens.accessToken) : undefined;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** Of renewed tokens, the first one of their line. Hashes, both. */
const origins = new BoundedMap<string>();

/** The same for a token and those that it was renewed to: the session goes on with them. */
export function originOf(token: string | undefined): string | undefined {
  const hash = token === undefined ? undefined : hashOf(token);
  return hash && (origins.get(hash) ?? hash);
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
