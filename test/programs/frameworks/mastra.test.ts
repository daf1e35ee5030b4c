import { describe, expect, test } from 'vitest';
import { findPersons, sent } from '../../langchain/tools.js';
import { call, newest, oddSchema, png, programFor } from './program.js';

describe('mcp-verbatim/mastra with Mastra 1 (packages: npm run fetch:packages)', () => {
  const program = programFor('mastra', newest);
  const { isThere } = program;

  test.skipIf(!isThere)('compiles in strict mode', async () => {
    expect(await program.compile()).toBe('');
  });

  test.skipIf(!isThere).each([
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

  test.skipIf(!isThere).each(['plain'])('over Gemini, %s: schemas that it takes, and an image', async (scenario) => {
    await program.runOverGemini(scenario);
  });

  test.skipIf(!isThere)('an abort reaches the server', async () => {
    await program.runAborted('router', 'abort');
  });

  test.skipIf(!isThere)('a person is asked before the call', async () => {
    program.endpoint.replies = [call('find_relatives', sent)];
    expect(await program.run('router', 'approval')).toMatchObject({ finishReason: 'suspended' });
    expect(program.server.calls).toEqual([]);
  });
});
