import type { ICredentialDataDecryptedObject, ILoadOptionsFunctions } from 'n8n-workflow';
import type { ServerAddress } from '../../src/index.js';
import { oauth2Address, serverAddress } from './address.js';
import { fingerprint, readCredential } from './credential.js';
import { credentialAdvice, hostTokens, refuseUnconnected } from './oauth2.js';
import { signInCredential } from './parameters.js';
import type { RunContext } from './execution.js';

export interface ChosenServer {
  readonly address: ServerAddress;
  /** The same for as long as the credential stays the same, whoever renews its tokens; tells nothing of it. */
  readonly identity: string;
  /** The same for as long as, besides, nobody connects the credential to another account. */
  readonly account: string;
  /** Does something with the server; errors that are about the credential say so. */
  explained<T>(work: () => Promise<T>): Promise<T>;
}

/** The server that the node is to work with, by its parameters and its credential. */
export async function chosenServer(
  context: RunContext | ILoadOptionsFunctions,
  read: (type: string) => Promise<ICredentialDataDecryptedObject>,
  itemIndex: number,
): Promise<ChosenServer> {
  const credential = await readCredential(context, read, itemIndex);
  const { type, data } = credential;
  const account = fingerprint(credential);
  if (type !== signInCredential) {
    return { address: serverAddress(type, data), identity: account, account, explained: (work) => work() };
  }
  const node = context.getNode();
  refuseUnconnected(node, data, itemIndex);
  return {
    address: oauth2Address(
      data,
      hostTokens(context, () => read(type), data),
    ),
    // That a token is the renewed form of another one is known only to the process that had it renewed.
    identity: fingerprint({ type, data: { ...data, oauthTokenData: {} } }),
    account,
    async explained(work) {
      return await work().catch((error: unknown) => {
        throw credentialAdvice(node, data, error, itemIndex);
      });
    },
  };
}
