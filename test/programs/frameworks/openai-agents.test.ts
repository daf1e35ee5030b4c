import { describe, expect } from 'vitest';
import { findPersons } from '../../langchain/tools.js';
import { newest, node20, oddSchema, png, programFor } from './program.js';

describe.each([newest, node20])('mcp-verbatim/openai-agents beside %s (packages: npm run fetch:packages)', (folder) => {
  const program = programFor('openai-agents', folder);
  const { runTest } = program;

  runTest.each([
    ['chat', false],
    ['responses', true],
  ])(
    'over %s: schemas to the character, a repaired call, a refusal, an error of the tool, an image',
    async (api, isSeen) => {
      const { bodies, schemas } = await program.runEveryCall(api);
      expect(schemas['find_relatives']).toBe(JSON.stringify(findPersons.inputSchema));
      expect(schemas['odd']).toBe(JSON.stringify(oddSchema));
      expect(bodies[0]).not.toContain('"strict":true');
      expect(bodies[2]!.split('hunter2-hunter2')).toHaveLength(2); // in the model's own call
      expect(bodies[3]).toContain('The tool failed: No such page.');
      expect(bodies[4]!.includes(png)).toBe(isSeen);
      expect(bodies[4]).toContain('[image: image/png');
    },
  );

  runTest.each(['chat', 'responses'])('over %s: an abort reaches the server', async (api) => {
    expect(await program.runAborted(api, 'abort')).toMatchObject({ error: expect.any(String) as string });
  });

  runTest.each(['chat', 'responses'])('over %s: a person is asked, and the call is made once it is approved', (api) =>
    program.runApproved(api, 'approval'),
  );

  runTest('a call that is no JSON is refused by the framework, and nobody is asked', async () => {
    program.endpoint.replies = [{ name: 'odd', arguments: '{"b": ' }];
    expect(await program.run('chat', 'approval no-json')).toEqual({ text: 'found' });
    expect(program.endpoint.bodies[1]).toContain('Please try again with valid JSON');
  });
});
