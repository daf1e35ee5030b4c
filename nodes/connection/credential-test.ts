import type {
  ICredentialDataDecryptedObject,
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import { connect } from '../../src/internal.js';
import { counted } from '../../src/json/index.js';
import { joined } from '../errors.js';
import { serverAddress } from './address.js';
import { httpCredential, stdioCredential } from './parameters.js';
import { stdioRefusal } from './permission.js';
import { serverName } from './session.js';

const idleTimeoutMs = 30_000;

export async function testHttpCredential(
  _context: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  return await testCredential(httpCredential, data);
}

export async function testStdioCredential(
  _context: ICredentialTestFunctions,
  { data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
  const refusal = await stdioRefusal();
  if (refusal) return { status: 'Error', message: `${refusal.message}. ${refusal.advice}` };
  return await testCredential(stdioCredential, data);
}

/** Connects, lists the tools and says what was found. */
async function testCredential(type: string, data: ICredentialDataDecryptedObject): Promise<INodeCredentialTestResult> {
  try {
    await using session = await connect(serverAddress(type, data), { idleTimeoutMs });
    const { tools, skipped } = await session.listTools();
    const odd = skipped.length === 0 ? '' : ` (${skipped.length} skipped)`;
    return {
      status: 'OK',
      message: `Connected to ${serverName(session)}, ${counted(tools.length, 'tool')}${odd}, ${session.protocolVersion}`,
    };
  } catch (error) {
    // The test changes nothing at the server, so whether a request arrived does not matter.
    return { status: 'Error', message: joined(error, { sent: false }, ' ') };
  }
}
