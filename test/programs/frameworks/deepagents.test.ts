import { describe, expect } from 'vitest';
import { findPersons } from '../../langchain/tools.js';
import { newest, oddSchema, png, programFor } from './program.js';

describe('mcp-verbatim/langchain with deepagents 1 (packages: npm run fetch:packages)', () => {
  const program = programFor('deepagents', newest);
  const { runTest } = program;

  runTest.each([
    ['chat', false],
    ['responses', true],
  ])('over %s: schemas to the character, an image', async (api, isSeen) => {
    const { bodies, schemas } = await program.runEveryCall(api);
    expect(schemas['find_relatives']).toBe(JSON.stringify(findPersons.inputSchema));
    expect(schemas['odd']).toBe(JSON.stringify(oddSchema));
    expect(bodies[4]!.includes(png)).toBe(isSeen);
  });

  runTest('an abort reaches the server', () => program.runAborted('chat', 'abort'));

  runTest('a person is asked, and the call is made once it is approved', () => program.runApproved('chat', 'approval'));
});
