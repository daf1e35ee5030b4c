import { describe, expect, test } from 'vitest';
import { node20, programFor } from './program.js';

describe('mcp-verbatim/mastra with Mastra 0.24 (packages: npm run fetch:packages)', () => {
  const program = programFor('mastra-24', node20);
  const { isThere } = program;

  test.skipIf(!isThere)('compiles in strict mode', async () => {
    expect(await program.compile()).toBe('');
  });

  test.skipIf(!isThere)('makes a repaired call, and the model reads a refusal and an error of the tool', async () => {
    await program.runEveryCall();
  });

  test.skipIf(!isThere)('an abort reaches the server', async () => {
    await program.runAborted();
  });
});
