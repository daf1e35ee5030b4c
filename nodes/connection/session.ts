import { createHash } from 'node:crypto';
import type {
  ICredentialDataDecryptedObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  ISupplyDataFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Session, SessionPool } from '../../src/index.js';
import { library } from '../library.js';
import { serverAddress } from './address.js';
import { httpCredential, stdioCredential } from './parameters.js';
import { stdioAllowed, stdioRefusal } from './permission.js';

export type RunContext = IExecuteFunctions | ISupplyDataFunctions;

/** Only a safety net for executions whose end nobody reported; its timer keeps no process alive. */
const idleInExecutionMs = 10 * 60_000;
/** While someone clicks through pickers, one connection serves them all. */
const idleInEditorMs = 20_000;
const editorTimeoutMs = 30_000;

let executions: SessionPool | undefined;
let editor: SessionPool | undefined;

/**
 * Works with the session of this node in this execution. An agent asks for the tools in every iteration and runs the
 * node for every call; all of them share one connection and one tools/list, until the execution ends in whatever way.
 */
export async function withSession<T>(
  context: RunContext,
  itemIndex: number,
  timeoutMs: number,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { connect, createSessionPool } = await library();
  executions ??= createSessionPool({ idleMs: idleInExecutionMs, max: 1000 });
  const pool = executions;
  const { type, data } = await readCredential(context, (name) => context.getCredentials(name, itemIndex), itemIndex);
  const key = executionKey(context, type, data);
  atExecutionEnd(context, () => void pool.close(key));
  const signal = context.getExecutionCancelSignal();
  const open = () => connect(serverAddress(type, data), { timeoutMs, ...(signal ? { signal } : {}) });
  return await pool.use(key, open, work);
}

/** Works with a session for the pickers and forms of the editor. */
export async function withEditorSession<T>(
  context: ILoadOptionsFunctions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { connect, createSessionPool } = await library();
  editor ??= createSessionPool({ idleMs: idleInEditorMs, max: 100 });
  const { type, data } = await readCredential(context, (name) => context.getCredentials(name), 0);
  const open = () => connect(serverAddress(type, data), { timeoutMs: editorTimeoutMs });
  return await editor.use(fingerprint(type, data), open, work);
}

/** `onExecutionFinish` is not in every n8n 2.x; without it the idle timeout closes what an execution left open. */
export function atExecutionEnd(context: RunContext, close: () => void): void {
  context.onExecutionFinish?.(close);
  context.onExecutionCancellation(close);
}

async function readCredential(
  context: RunContext | ILoadOptionsFunctions,
  read: (name: string) => Promise<ICredentialDataDecryptedObject>,
  itemIndex: number,
): Promise<{ type: string; data: ICredentialDataDecryptedObject }> {
  const type = context.getNodeParameter('transport', itemIndex) === 'stdio' ? stdioCredential : httpCredential;
  if (type === stdioCredential && !stdioAllowed()) {
    const { message, description } = stdioRefusal;
    throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
  }
  return { type, data: await read(type) };
}

/** Two executions, two nodes, or one node with two credentials never share a session (and so no browser tabs). */
function executionKey(context: RunContext, type: string, data: ICredentialDataDecryptedObject): string {
  return [context.getExecutionId(), context.getNode().id, fingerprint(type, data)].join(' ');
}

function fingerprint(type: string, data: ICredentialDataDecryptedObject): string {
  return createHash('sha256')
    .update(JSON.stringify([type, data]))
    .digest('hex');
}
