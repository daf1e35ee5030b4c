import { describe, expect, test } from 'vitest';
import { until } from '../../../test-support/waiting.js';
import { findPersons, received, sent } from '../../langchain/tools.js';
import { newest, oddSchema, png, programFor, toolsIn } from './program.js';

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });

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
      program.endpoint.replies = [
        call('find_relatives', sent),
        call('find_relatives', { limit: 'many', password: 'hunter2-hunter2' }),
        call('fail', {}),
        call('screenshot', {}),
      ];
      expect(await program.run(api, scenario)).toMatchObject({ text: 'found' });
      const { bodies } = program.endpoint;
      const schemas = toolsIn(bodies[0]!);
      // Its model router adds types to properties without any; a model of the AI SDK is given the middleware.
      const asWritten = (schema = '') =>
        api === 'router'
          ? schema.replaceAll(/,?"type":\["string","number","integer","boolean","object","null"\]/g, '')
          : schema;
      expect(asWritten(schemas['find_relatives'])).toBe(JSON.stringify(findPersons.inputSchema));
      expect(asWritten(schemas['odd'])).toBe(JSON.stringify(oddSchema));
      expect(program.server.calls.slice(0, 2)).toEqual([
        { name: 'find_relatives', arguments: received },
        { name: 'fail', arguments: {} },
      ]);
      expect(bodies[2]).toContain('The tool was not called.');
      expect(bodies[3]).toContain('No such page.');
      expect(bodies[4]!.includes(png)).toBe(isSeen);
    },
  );

  test.skipIf(!isThere)('an abort reaches the server', async () => {
    program.aborted = [];
    program.endpoint.replies = [call('wait', {})];
    await program.run('router', 'abort');
    await until(() => program.aborted.length === 1);
    expect(program.server.calls).toHaveLength(1);
  });

  test.skipIf(!isThere)('a person is asked before the call', async () => {
    program.endpoint.replies = [call('find_relatives', sent)];
    expect(await program.run('router', 'approval')).toMatchObject({ finishReason: 'suspended' });
    expect(program.server.calls).toEqual([]);
  });
});
