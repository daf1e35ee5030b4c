import { describe } from 'vitest';
import { node20, programFor } from './program.js';

describe('mcp-verbatim/mastra with Mastra 0.24 (packages: npm run fetch:packages)', () => {
  const program = programFor('mastra-24', node20);
  const { runTest } = program;

  runTest('makes a repaired call, and the model reads a refusal and an error of the tool', () =>
    program.runEveryCall(),
  );

  runTest('an abort reaches the server', () => program.runAborted());

  runTest('a person is asked, and the call is made once it is approved', () => program.runApproved('approve'));

  runTest('a person declines: the call is not made, and the model reads why', () => program.runDeclined('decline'));
});
