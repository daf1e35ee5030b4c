import { describe, expect } from 'vitest';
import { received, sent } from '../../langchain/tools.js';
import { call, node20, programFor } from './program.js';

describe('mcp-verbatim/mastra with Mastra 0.24 (packages: npm run fetch:packages)', () => {
  const program = programFor('mastra-24', node20);
  const { runTest } = program;

  runTest('makes a repaired call, and the model reads a refusal and an error of the tool', async () => {
    await program.runEveryCall();
  });

  runTest('an abort reaches the server', async () => {
    await program.runAborted();
  });

  runTest('a person is asked, and the call is made once it is approved', async () => {
    program.endpoint.replies = [call('find_relatives', sent)];
    expect(await program.run('approve')).toMatchObject({ asked: true, text: 'found' });
    expect(program.server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
  });

  runTest('a person declines: the call is not made, and the model reads why', async () => {
    program.endpoint.replies = [call('find_relatives', sent)];
    expect(await program.run('decline')).toMatchObject({ asked: true, text: 'found' });
    expect(program.server.calls).toEqual([]);
    expect(program.endpoint.bodies[1]).toContain('not approved');
  });
});
