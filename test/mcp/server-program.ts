import { afterAll, beforeAll } from 'vitest';
import { connect, type ConnectOptions, type ServerAddress, type Session } from '../../src/mcp/index.js';
import { programPath, startProgram, type Program } from '../../test-support/servers/program.js';

/**
 * A session with a server program, for all tests of a block.
 *
 * @param args the transport, then its other arguments
 */
export function sessionWith(script: string, args: readonly string[], options?: ConnectOptions) {
  const shared = {} as { session: Session; program?: Program };
  beforeAll(async () => {
    const path = programPath(script);
    let address: ServerAddress = { transport: 'stdio', command: process.execPath, args: [path, ...args] };
    if (args[0] !== 'stdio') {
      shared.program = await startProgram(path, args);
      address = { url: shared.program.url };
    }
    shared.session = await connect(address, options);
  });
  afterAll(async () => {
    await shared.session.close();
    await shared.program?.close();
  });
  return shared;
}
