import { createHash } from 'node:crypto';
import { type ICredentialDataDecryptedObject, type ILoadOptionsFunctions, ExpressionError } from 'n8n-workflow';
import { SetupError } from '../errors.js';
import type { RunContext } from '../host/execution.js';
import { accessToken, originOf } from './oauth2.js';
import { credentialOf, httpCredential, signInCredential, stdioCredential } from './parameters.js';
import { stdioRefusal } from './permission.js';

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
  if (refusal) throw refusal;
  return { type, data: await read(type) };
}

/** The credential has an expression about an item, so it has its value in an execution alone. */
export class RunTimeCredential extends SetupError {
  constructor(context: ILoadOptionsFunctions, type: string) {
    const name = context.getNode().credentials?.[type]?.name;
    super(
      `The credential ${name === undefined ? '' : `"${name}" `}has its values when the node runs`,
      'It has an expression about an item, so the server cannot be asked here. Name the tools, resources or prompts yourself, and give arguments as JSON.',
    );
  }
}

/** No credential of the kind is chosen. */
export class NoCredential extends SetupError {
  constructor() {
    super('No credential is chosen', 'Choose one. If this text stays, close this panel and open it again.');
  }
}

/** @throws RunTimeCredential where n8n cannot evaluate it before the node runs */
export async function credentialInEditor(
  context: ILoadOptionsFunctions,
  type: string,
): Promise<ICredentialDataDecryptedObject> {
  try {
    return await context.getCredentials(type);
  } catch (error) {
    if (context.getNode().credentials?.[type] === undefined) throw new NoCredential();
    throw error instanceof ExpressionError ? new RunTimeCredential(context, type) : error;
  }
}

/** Two nodes, or one node with two credentials, never share a session (and so no browser tabs). */
export function fingerprint({ type, data }: Credential): string {
  const same = type === signInCredential ? { ...data, oauthTokenData: originOf(accessToken(data)) } : data;
  return createHash('sha256')
    .update(JSON.stringify([type, same]))
    .digest('hex');
}
