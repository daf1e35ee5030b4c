import { createHash } from 'node:crypto';
import type { ICredentialDataDecryptedObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { ExpressionError, NodeOperationError } from 'n8n-workflow';
import { itemsOf } from '../host/agent-item.js';
import { accessToken, originOf } from './oauth2.js';
import { credentialOf, httpCredential, signInCredential, stdioCredential } from './parameters.js';
import { stdioRefusal } from './permission.js';
import { executionOf, type RunContext } from './execution.js';

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

/** What was read for an item of an agent, by execution, node and type. It is gone when the item is. */
const readFor = new WeakMap<object, Map<string, Promise<ICredentialDataDecryptedObject>>>();

/**
 * A credential as it is for an item. n8n reads it from its database, decrypts and evaluates it, which takes longer than
 * all else that is done for a call; so it is asked once for all that an agent does about one item. Tokens that are
 * renewed meanwhile (OAuth2) are read each time, and so is what is somebody's own.
 */
export function credentialFor(
  context: RunContext,
  type: string,
  itemIndex: number,
): Promise<ICredentialDataDecryptedObject> {
  const item = itemsOf(context)[itemIndex]?.json;
  if (item === undefined || type === signInCredential) return context.getCredentials(type, itemIndex);
  const known = readFor.get(item) ?? new Map<string, Promise<ICredentialDataDecryptedObject>>();
  readFor.set(item, known);
  const key = `${executionOf(context)} ${context.getNode().id} ${type}`;
  const present = known.get(key);
  if (present) return present;
  const reading = context.getCredentials(type, itemIndex);
  known.set(key, reading);
  const forget = () => known.delete(key);
  reading.then(() => isPersonal(context) && forget(), forget);
  return reading;
}

/** A credential with an expression about an item has its value in an execution alone. */
export class RunTimeCredential extends NodeOperationError {
  constructor(context: ILoadOptionsFunctions, type: string) {
    const name = context.getNode().credentials?.[type]?.name;
    super(
      context.getNode(),
      `The credential ${name === undefined ? '' : `"${name}" `}has its values when the node runs`,
      {
        description:
          'It has an expression about an item, so the server cannot be asked here. Name the tools, resources or prompts yourself, and give arguments as JSON.',
      },
    );
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
    throw error instanceof ExpressionError ? new RunTimeCredential(context, type) : error;
  }
}

/**
 * Whether a credential is resolved for the user whose execution this is. With each read n8n notes that the node used
 * one, and hides what nodes that did so have sent and received from everybody else (n8n 2.41, credentials-helper.js).
 */
function isPersonal(context: RunContext): boolean {
  const { additionalData = {} } = context as DynamicContext;
  const { currentNodeAttemptedDynamicCredentials, currentNodeUsedDynamicCredentials } = additionalData;
  return currentNodeAttemptedDynamicCredentials === true || currentNodeUsedDynamicCredentials === true;
}

/** Not in the public types. */
interface DynamicContext {
  additionalData?: {
    currentNodeAttemptedDynamicCredentials?: boolean;
    currentNodeUsedDynamicCredentials?: boolean;
  };
}

/** Two nodes, or one node with two credentials, never share a session (and so no browser tabs). */
export function fingerprint({ type, data }: Credential): string {
  const same = type === signInCredential ? { ...data, oauthTokenData: originOf(accessToken(data)) } : data;
  return createHash('sha256')
    .update(JSON.stringify([type, same]))
    .digest('hex');
}
