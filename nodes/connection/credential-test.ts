import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';
import { connect } from '../../src/internal.js';
import { counted, sentences } from '../../src/json/index.js';
import { readable } from '../errors.js';
import { httpCredential, stdioCredential } from './parameters.js';
import { explained, refuseStdio, serverAddress } from './server.js';
import { serverName } from './session.js';

const idleTimeoutMs = 30_000;

export const testHttpCredential = credentialTest(httpCredential);
export const testStdioCredential = credentialTest(stdioCredential);

function credentialTest(type: string) {
  return async (
    _context: ICredentialTestFunctions,
    { data = {} }: ICredentialsDecrypted,
  ): Promise<INodeCredentialTestResult> => {
    try {
      if (type === stdioCredential) await refuseStdio();
      await using session = await connect(serverAddress(type, data), { idleTimeoutMs });
      const { tools, skipped } = await session.listTools();
      const odd = skipped.length === 0 ? '' : ` (${skipped.length} skipped)`;
      const found = `${counted(tools.length, 'tool')}${odd}, ${session.protocolVersion}`;
      return { status: 'OK', message: `Connected to ${serverName(session)}, ${found}` };
    } catch (error) {
      const { message, description } = readable(explained(type, data)(error), { isRun: false });
      return { status: 'Error', message: sentences(message, description) };
    }
  };
}
