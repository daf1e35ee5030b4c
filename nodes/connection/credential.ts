import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { accessToken, originOf } from './oauth2.js';
import { credentialOf, httpCredential, signInCredential, stdioCredential } from './parameters.js';
import { stdioRefusal } from './permission.js';
import type { RunContext } from './execution.js';

export interface Credential {
  type: string;
  data: ICredentialDataDecryptedObject;
}

/** The credential that the node's parameters ask for. */
export async function readCredential(
  context: RunContext | ILoadOptionsFunctions,
  read: (type: string) => Promise<ICredentialDataDecryptedObject>,
  itemIndex: number,
): Promise<Credential> {
  const transport = context.getNodeParameter('transport', itemIndex) as string; // one of its options
  const type = credentialOf[transport] ?? httpCredential;
  const refusal = type === stdioCredential ? await stdioRefusal() : undefined;
  if (refusal)
    throw new NodeOperationError(context.getNode(), refusal.message, { description: refusal.description, itemIndex });
  return { type, data: await read(type) };
}

/** Two nodes, or one node with two credentials, never share a session (and so no browser tabs). */
export function fingerprint({ type, data }: Credential): string {
  const same = type === signInCredential ? { ...data, oauthTokenData: originOf(accessToken(data)) } : data;
  return createHash('sha256')
    .update(JSON.stringify([type, same]))
    .digest('hex');
}
