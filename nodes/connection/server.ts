import type { ICredentialDataDecryptedObject, ILoadOptionsFunctions } from 'n8n-workflow';
import type { AuthProvider, ServerAddress } from '../../src/internal.js';
import { addressSecrets, type SecretMask, secretMask } from '../../src/secrets/index.js';
import { oauth2Address, serverAddress } from './address.js';
import { type Credential, fingerprint, readCredential } from './credential.js';
import { credentialAdvice, hostTokens, refuseExpressions, refuseUnconnected } from './oauth2.js';
import { signInCredential } from './parameters.js';
import { BoundedMap, type RunContext } from '../host/execution.js';

export interface ChosenServer {
  readonly address: ServerAddress;
  /** The same while the credential stays the same and its tokens are renewed. A hash: it reveals nothing. */
  readonly identity: string;
  /** The same while the credential is, besides, connected to the same account. */
  readonly account: string;
  /** Hides what is secret in the address. */
  readonly mask: SecretMask;
  /** Does something with the server; errors that are about the credential say so. */
  explained<T>(work: () => Promise<T>): Promise<T>;
}

/** The server that the node is to work with, by its parameters and its credential. */
export async function chosenServer(
  context: RunContext | ILoadOptionsFunctions,
  read: (type: string) => Promise<ICredentialDataDecryptedObject>,
  itemIndex: number,
): Promise<ChosenServer> {
  const readInert = async (type: string) => {
    if (type === signInCredential) await refuseExpressions(context);
    return await read(type);
  };
  const credential = await readCredential(context, readInert, itemIndex);
  const { type, data } = credential;
  if (type !== signInCredential) return ownServer(credential);
  const node = context.getNode();
  refuseUnconnected(node, data);
  const account = fingerprint(credential);
  const tokens = latestTokens(
    account,
    hostTokens(context, () => readInert(type), data),
  );
  return {
    ...reachedAt(oauth2Address(data, tokens)),
    // That a token is the renewed form of another one is known only to the process that had it renewed.
    identity: fingerprint({ type, data: { ...data, oauthTokenData: {} } }),
    account,
    async explained(work) {
      return await work().catch((error: unknown) => {
        throw credentialAdvice(node, data, error);
      });
    },
  };
}

const tokensOf = new BoundedMap<AuthProvider>();

/**
 * The tokens of an account, read through the context that asked for it last: a kept session outlives the execution that
 * began it, in which n8n evaluates no credential any more.
 */
function latestTokens(account: string, tokens: AuthProvider): AuthProvider {
  tokensOf.delete(account);
  tokensOf.set(account, tokens);
  const latest = () => tokensOf.get(account) ?? tokens;
  return {
    token: () => latest().token(),
    async onUnauthorized(refused) {
      await latest().onUnauthorized?.(refused);
    },
  };
}

function ownServer(credential: Credential): ChosenServer {
  const account = fingerprint(credential);
  const address = serverAddress(credential.type, credential.data);
  return { ...reachedAt(address), identity: account, account, explained: (work) => work() };
}

function reachedAt(address: ServerAddress): Pick<ChosenServer, 'address' | 'mask'> {
  return { address, mask: secretMask(addressSecrets(address)) };
}
