import { describe, expect } from 'vitest';
import { findPersons } from '../../langchain/tools.js';
import { newest, oddSchema, plainSchema, png, programFor } from './program.js';

describe('mcp-verbatim/mastra with Mastra 1 (packages: npm run fetch:packages)', () => {
  const program = programFor('mastra', newest);
  const { runTest } = program;
  const apis = ['router', 'responses', 'anthropic', 'google'];

  runTest.each([
    ['router', 'named', false],
    ['responses', 'plain', true],
    ['anthropic', 'plain', true],
  ])(
    'over %s, %s: schemas to the character but for added types, a repaired call, a refusal, an error of the tool, an image',
    async (api, scenario, isSeen) => {
      const { bodies, schemas } = await program.runEveryCall(api, scenario);
      // Mastra's model router adds types to properties without any; with the middleware, a model of the AI SDK does not.
      const asWritten = (schema = '') =>
        api === 'router'
          ? schema.replaceAll(/,?"type":\["string","number","integer","boolean","object","null"\]/g, '')
          : schema;
      expect(asWritten(schemas['find_relatives'])).toBe(JSON.stringify(findPersons.inputSchema));
      expect(asWritten(schemas['odd'])).toBe(JSON.stringify(oddSchema));
      expect(bodies[4]!.includes(png)).toBe(isSeen);
    },
  );

  runTest('over Gemini: schemas that it takes, one to the character, and an image', async () => {
    const schemas = await program.runOverGemini('plain');
    expect(schemas['plain']).toBe(JSON.stringify(plainSchema));
  });

  runTest.each(apis)('over %s: an abort reaches the server', async (api) => {
    await program.runAborted(api, 'abort');
  });

  runTest.each(apis)('over %s: a person is asked, and the call is made once it is approved', (api) =>
    program.runApproved(api, 'approval approve'),
  );

  runTest('a person declines: the call is not made, and the model reads why', () =>
    program.runDeclined('router', 'approval decline'),
  );
});
