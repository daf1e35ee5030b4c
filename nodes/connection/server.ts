import { ExpressionError, type ICredentialDataDecryptedObject as Data } from 'n8n-workflow';
import { type HttpAddress, isRequestFailure, type ServerAddress } from '../../src/internal.js';
import { addressSecrets, type SecretMask, secretMask } from '../../src/secrets/index.js';
import { SetupError } from '../errors.js';
import { isRun, type NodeContext } from '../host/execution.js';
import { hostFetch, hostUsers } from '../host/modules.js';
import { accountTokens, fingerprint } from './oauth2.js';
import { choiceIn } from '../values.js';
import { authentication, transport } from '../../credentials/fields.js';
import { credentialOf, httpCredential, server, signInCredential, stdioCredential } from './parameters.js';
import { namedValues, rows, textOf } from '../text.js';

export interface ChosenServer {
  readonly address: ServerAddress;
  /** A hash of the credential without its tokens: renewing them does not change it. */
  readonly identity: string;
  /** The identity and the account that the credential is connected to. */
  readonly account: string;
  readonly mask: SecretMask;
  readonly explain: (error: unknown) => unknown;
}

export async function chosenServer(context: NodeContext, itemIndex: number): Promise<ChosenServer> {
  const type = credentialOf[choiceIn(server, context.getNodeParameter(server.name, itemIndex))];
  const read = () => credentialOfNode(context, type, itemIndex);
  if (type === signInCredential) {
    const { tokens, data } = await accountTokens(context, read);
    // Only the process that renewed a token knows that both belong to one account.
    const identity = fingerprint(type, { ...data, oauthTokenData: {} });
    return {
      ...reachedAt({ url: field(data.serverUrl).trim(), authProvider: tokens, ...throughHost() }),
      identity,
      account: `${identity} ${tokens.account}`,
      explain: (error) => tokens.explain(error),
    };
  }
  if (type === stdioCredential) await refuseStdio();
  const data = await read();
  const identity = fingerprint(type, data);
  return { ...reachedAt(serverAddress(type, data)), identity, account: identity, explain: explained(type, data) };
}

function reachedAt(address: ServerAddress): Pick<ChosenServer, 'address' | 'mask'> {
  return { address, mask: secretMask(addressSecrets(address)) };
}

export class RunTimeCredential extends SetupError {
  constructor(context: NodeContext, type: string) {
    const name = context.getNode().credentials?.[type]?.name;
    super(
      `The credential ${name === undefined ? '' : `"${name}" `}gets its values only when the node runs`,
      'It has an expression about an item, so the server cannot be asked here. Name the tools, resources or prompts yourself, and give arguments as JSON.',
    );
  }
}

export class NoCredential extends SetupError {
  constructor() {
    super('No credential is chosen', 'Choose one. If this text stays, close this panel and open it again.');
  }
}

async function credentialOfNode(context: NodeContext, type: string, itemIndex: number): Promise<Data> {
  if (isRun(context)) return await context.getCredentials(type, itemIndex);
  return await context.getCredentials(type).catch((error: unknown) => {
    if (context.getNode().credentials?.[type] === undefined) throw new NoCredential();
    throw error instanceof ExpressionError ? new RunTimeCredential(context, type) : error;
  });
}

export function serverAddress(type: string, data: Data): ServerAddress {
  if (type !== stdioCredential)
    return {
      transport: choiceIn(transport, data.transport ?? transport.default),
      url: field(data.url).trim(),
      headers: authorization(data),
      ...throughHost(),
    };
  const cwd = field(data.workingDirectory).trim();
  return {
    transport: 'stdio',
    command: field(data.command).trim(),
    args: rows(data.args).map(({ value }) => field(value)),
    env: namedValues(data.environment),
    ...(cwd === '' ? {} : { cwd }),
  };
}

/** Explains a 401 if the credential has no authentication. */
export function explained(type: string, data: Data): ChosenServer['explain'] {
  return (error) => {
    if (type !== httpCredential || !isRequestFailure(error) || error.code !== 'AUTHORIZATION_REQUIRED') return error;
    if ((data.authentication ?? authentication.default) !== 'none') return error;
    return new SetupError(
      error.title,
      'The credential has no authentication. Choose Bearer Token or Headers in it. For a server that you sign in to, choose "At a URL, with OAuth2" under Server.',
    );
  };
}

function throughHost(): Pick<HttpAddress, 'fetch'> {
  const fetch = hostFetch();
  return fetch ? { fetch } : {};
}

function authorization(data: Data): Record<string, string> {
  const chosen = choiceIn(authentication, data.authentication ?? authentication.default);
  if (chosen === 'bearer') return { Authorization: `Bearer ${field(data.token)}` };
  return chosen === 'headers' ? namedValues(data.headers) : {};
}

function field(value: unknown): string {
  return value === undefined || value === null ? '' : textOf(value);
}

/**
 * The administrator decides with `MCP_VERBATIM_STDIO=on` or `off` in the environment. By default, an n8n with one user
 * allows processes, because that user runs the machine.
 *
 * @throws SetupError if processes are not allowed
 */
export async function refuseStdio(usersOf = hostUsers): Promise<void> {
  const value = process.env.MCP_VERBATIM_STDIO?.trim().toLowerCase() ?? '';
  if (['on', 'true', '1', 'yes'].includes(value)) return;
  const isOff = ['off', 'false', '0', 'no'].includes(value);
  const users = isOff ? undefined : await usersOf();
  if (users === 1) return;
  const open = 'each of several users could start programs on its machine.';
  const [what, why] = isOff
    ? ['is switched off on this n8n', 'MCP_VERBATIM_STDIO=off is set in its environment.']
    : users === undefined
      ? ['is not enabled on this n8n', `It does not say how many users it has, and ${open}`]
      : ['is not allowed on an n8n with several users', `Otherwise ${open}`];
  throw new SetupError(
    `Starting servers with a command ${what}`,
    `${why} The administrator of this n8n can allow it with MCP_VERBATIM_STDIO=on in its environment, and in that of its workers. A server reached over HTTP needs no permission.`,
  );
}
