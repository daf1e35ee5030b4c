import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject as Data, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import type { AuthProvider } from '../../src/internal.js';
import { isObject } from '../../src/json/index.js';
import { secretMask } from '../../src/secrets/index.js';
import { readable, SetupError } from '../errors.js';
import { BoundedMap, isRun, type NodeContext } from '../host/execution.js';
import { signInCredential } from './parameters.js';

/**
 * The tokens of an account. n8n renews them under its own lock and stores them, so that all nodes and workers use the
 * current one. All sessions share this object and renew a rejected token once: n8n before 2.20 has no lock, and a refresh
 * token may be valid only once.
 */
class AccountTokens implements AuthProvider {
  #data: Data;
  #token: string | undefined;

  /** @param source the last context that asked: a kept session outlives the execution that evaluated its credential */
  constructor(
    readonly account: string,
    data: Data,
    public source: Source,
  ) {
    this.#data = data;
    this.#token = tokenIn(data.oauthTokenData);
  }

  async token(): Promise<string | undefined> {
    // The grant of client credentials has no sign-in: its first token is fetched like a renewed one.
    if (this.#token === undefined && isForPrograms(this.#data)) await this.onUnauthorized();
    return this.#token;
  }

  async onUnauthorized(): Promise<void> {
    this.#data = await this.source.read();
    const stored = tokenIn(this.#data.oauthTokenData);
    // Another process may have renewed it.
    this.#token = stored === this.#token ? await this.#renewed() : stored;
    accounts.set(accountIn(this.#data, this.#token), this);
  }

  /**
   * n8n renews the token that it reads, unless another worker has renewed it before n8n has the lock. A token renewed
   * between our reading and n8n's would be renewed again, so n8n is given the rejected token to read.
   */
  async #renewed(): Promise<string | undefined> {
    const data = { ...this.#data, oauthTokenData: this.#data.oauthTokenData ?? {} };
    const refused = Object.create(this.source.host, {
      getCredentials: { value: async () => await Promise.resolve(data) },
    }) as NodeContext;
    const renewing = this.source.host.helpers.refreshOAuth2Token.call(refused, signInCredential);
    return tokenIn(
      await renewing.catch((error: unknown) => {
        throw new Error(`n8n could not renew the access token: ${readable(error).message.replace(/\.$/, '')}`);
      }),
    );
  }

  explain(error: unknown): unknown {
    if (!(error instanceof Error && 'code' in error && error.code === 'AUTHORIZATION_REQUIRED')) return error;
    const [what, advice] = isForPrograms(this.#data)
      ? ['is rejected', 'Check the client ID, the secret and the scope in the credential.']
      : ['has to be connected again', 'Open the credential and connect it again.'];
    // n8n's message may quote secrets.
    const reason = secretMask(secretsIn(this.#data))(error.message);
    return new SetupError(`The credential ${nameOf(this.source.host)} ${what}`, `${reason} ${advice}`);
  }
}

interface Source {
  host: NodeContext;
  read(): Promise<Data>;
}

/** Accounts by token fingerprint. Renewed tokens are added for the same account. */
const accounts = new BoundedMap<AccountTokens>();

export async function accountTokens(host: NodeContext, readData: () => Promise<Data>) {
  const read = async () => {
    await refuseExpressions(host);
    return await readData();
  };
  const data = await read();
  const token = tokenIn(data.oauthTokenData);
  if (token === undefined && !isForPrograms(data))
    throw new SetupError(
      `The credential ${nameOf(host)} is not connected yet`,
      'Open the credential and connect it to your account.',
    );
  const account = accountIn(data, token);
  const tokens = accounts.get(account) ?? new AccountTokens(account, data, { host, read });
  tokens.source = { host, read };
  accounts.set(account, tokens);
  return { tokens, data };
}

function accountIn(data: Data, token: string | undefined): string {
  const serverUrl = token === undefined ? (data['serverUrl'] ?? '') : '';
  return fingerprint(signInCredential, { ...data, serverUrl, oauthTokenData: token ?? {} });
}

export function fingerprint(type: string, data: Data): string {
  return createHash('sha256')
    .update(JSON.stringify([type, data]))
    .digest('hex');
}

/**
 * Refuses a token or registration that contains an expression. n8n evaluates a whole credential whenever a node reads it,
 * and sends the result back to the authorization server (n8n 2.41, credentials-helper.js). So this reads it raw, before.
 */
async function refuseExpressions(host: NodeContext): Promise<void> {
  const reference = host.getNode().credentials?.[signInCredential];
  if (!reference) return; // n8n says so when the credential is read
  // Not in the public types (n8n 1.123 to 2.41). In another n8n this throws, and nothing is sent.
  const { additionalData } = host as unknown as { additionalData: IWorkflowExecuteAdditionalData };
  const mode = isRun(host) ? host.getMode() : 'internal';
  const { credentialsHelper } = additionalData;
  const raw = await credentialsHelper.getDecrypted(additionalData, reference, signInCredential, mode, undefined, true);
  // The default is not saved.
  const registered = raw.useDynamicClientRegistration === false ? [] : registrationFields.map((field) => raw[field]);
  if (!holdsExpression([raw.oauthTokenData, ...registered])) return;
  throw new SetupError(
    `The credential ${nameOf(host)} holds an expression that the server put there`,
    'The authorization server gave a token, or a registration, that n8n would evaluate and send back with what the workflow holds. The node has sent nothing. Do not use this server.',
  );
}

/** The fields that n8n fills in when it registers by itself (dcr-managed-fields.js). */
const registrationFields = [
  ...['authUrl', 'accessTokenUrl', 'grantType', 'authentication', 'usePkce', 'clientId', 'clientSecret', 'scope'],
];

function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('=');
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

function nameOf(host: NodeContext): string {
  return `"${host.getNode().credentials?.[signInCredential]?.name ?? 'OAuth2'}"`;
}

function isForPrograms({ grantType }: Data): boolean {
  return grantType === 'clientCredentials';
}

function tokenIn(tokens: unknown): string | undefined {
  const token = isObject(tokens) ? (tokens.access_token ?? tokens.accessToken) : undefined;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

function secretsIn({ clientSecret, oauthTokenData }: Data): string[] {
  const tokens = Object.entries(isObject(oauthTokenData) ? oauthTokenData : {}).filter(([name]) =>
    /token$/i.test(name),
  );
  return [clientSecret, ...tokens.map(([, value]) => value)].filter((value) => typeof value === 'string');
}
