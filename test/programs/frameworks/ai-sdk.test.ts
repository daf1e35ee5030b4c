import { describe, expect } from 'vitest';
import { findPersons } from '../../langchain/tools.js';
import { call, newest, node20, oddSchema, plainSchema, png, programFor } from './program.js';

const apis = ['chat', 'responses', 'anthropic', 'google'];

describe.each([
  ['AI SDK 7', newest],
  ['AI SDK 6', node20],
])('mcp-verbatim/ai-sdk with %s (packages: npm run fetch:packages)', (_, folder) => {
  const program = programFor('ai-sdk', folder);
  const { runTest } = program;

  runTest.each([
    ['chat', 'plain', undefined],
    ['chat', 'named', false],
    ['chat', 'middleware', false],
    ['responses', 'plain', true],
    ['responses', 'middleware', true],
    ['anthropic', 'plain', true],
    ['anthropic', 'middleware', true],
  ])(
    'over %s, %s: schemas to the character, a repaired call, a refusal, an error of the tool, an image',
    async (api, scenario, isSeen) => {
      const { outcome, bodies, schemas } = await program.runEveryCall(api, scenario);
      expect(schemas['find_relatives']).toBe(JSON.stringify(findPersons.inputSchema));
      expect(schemas['odd']).toBe(JSON.stringify(oddSchema));
      expect(bodies[0]).not.toContain('"strict":true');
      expect(outcome).toMatchObject({
        again: 'found',
        results: [
          { isError: false, repairs: [{}, {}] },
          { isError: true },
          { isError: true, text: 'No such page.' },
          { isError: false },
        ],
      });
      expect(bodies[2]!.split('hunter2-hunter2')).toHaveLength(2); // in the model's own call
      if (api === 'anthropic') expect(bodies[3]!.match(/"is_error":true/g)).toHaveLength(2);

      if (isSeen !== undefined) expect(bodies[4]!.includes(png)).toBe(isSeen);
      if (isSeen === false) expect(bodies[4]).toContain('[image: image/png');
    },
  );

  runTest.each(['named', 'middleware'])('over Gemini, %s: schemas that it takes, and an image', async (scenario) => {
    const schemas = await program.runOverGemini(scenario);
    // The client of AI SDK 6 writes every schema anew.
    if (folder === newest) expect(schemas['plain']).toBe(JSON.stringify(plainSchema));
  });

  runTest.each([
    ['chat', 'plain'],
    ['chat', 'stream'],
    ['responses', 'plain'],
    ['anthropic', 'plain'],
    // The client for Gemini of AI SDK 6 throws for references that nothing has adapted.
    ['google', 'named'],
  ])('over %s, %s: an abort reaches the server', async (api, scenario) => {
    await program.runAborted(api, `abort ${scenario}`);
  });

  runTest.each(apis)('over %s: a person is asked, and the call is made once it is approved', (api) =>
    program.runApproved(api, api === 'google' ? 'approval named' : 'approval'),
  );

  runTest('nobody is asked about a call that is refused', async () => {
    program.endpoint.replies = [call('find_relatives', { limit: 'many' })];
    expect(await program.run('chat', 'approval')).toMatchObject({ text: 'found', results: [{ isError: true }] });
  });

  runTest.each(['middleware', 'middleware stream'])(
    'the middleware mends a call that is no JSON: %s',
    async (scenario) => {
      program.endpoint.replies = [call('odd', `{'b': 'x', 'a': None,}`)];
      expect(await program.run('chat', scenario)).toMatchObject({ text: 'found' });
      expect(program.server.calls).toEqual([{ name: 'odd', arguments: { b: 'x', a: null } }]);
    },
  );

  runTest('a Standard Schema of the library may be written on, as the SDK does', async () => {
    expect(await program.run('chat', 'standard')).toMatchObject({ properties: findPersons.inputSchema.properties });
  });
});
