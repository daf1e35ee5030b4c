import type {
  ICredentialDataDecryptedObject,
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import { readable } from '../errors.js';
import { library } from '../library.js';
import { serverAddress } from './address.js';
import { httpCredential, stdioCredential } from './parameters.js';
import { stdioRefusal } from './permission.js';
import { serverName } from './server-name.js';

const timeoutMs = 30_000;

/** Connects, lists the tools and says what was found. */
export const credentialTest = {
  async mcpVerbatimHttpTest(
    this: ICredentialTestFunctions,
    credential: ICredentialsDecrypted,
  ): Promise<INodeCredentialTestResult> {
    return await testCredential(httpCredential, credential.data ?? {});
  },

  async mcpVerbatimStdioTest(
    this: ICredentialTestFunctions,
    credential: ICredentialsDecrypted,
  ): Promise<INodeCredentialTestResult> {
    const refusal = await stdioRefusal();
    if (refusal) return { status: 'Error', message: `${refusal.message}. ${refusal.description}` };
    return await testCredential(stdioCredential, credential.data ?? {});
  },
};

async function testCredential(type: string, data: ICredentialDataDecryptedObject): Promise<INodeCredentialTestResult> {
  const { connect } = await library();
  try {
    await using session = await connect(serverAddress(type, data), { timeoutMs });
    const { tools, setAside } = await session.listTools();
    const odd = setAside.length === 0 ? '' : ` (${setAside.length} more set aside)`;
    return {
      status: 'OK',
      message: `Connected to ${serverName(session)}, ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${odd}, ${session.protocolVersion}`,
    };
  } catch (error) {
    const { message, description } = readable(error);
    return { status: 'Error', message: description === undefined ? message : `${message} ${description}` };
  }
}
