import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../langchain/server.js';
import type { TestServer } from '../langchain/server.js';
import { cli } from './run.js';

/** Clears the screen, retitles the window, starts a link, reverses the text, rings, returns, in C0 and C1. */
const evil =
  'a\u001b[2J\u001b]0;owned\u0007\u001b]8;;http://evil.example\u001b\\\u009b2J\u009d0;owned\u009c\u202eb\r\u0008\u0000\u007f';

const tool = {
  name: 'evil',
  title: evil,
  description: `${evil}\n${evil}. ${evil}`,
  inputSchema: {
    type: 'object',
    title: evil,
    description: evil,
    properties: {
      [evil]: {
        type: 'string',
        title: evil,
        description: evil,
        enum: [evil],
        const: evil,
        default: evil,
        pattern: evil,
        format: evil,
        examples: [evil],
      },
      reference: { $ref: `#/$defs/${evil}` },
      integer: { type: 'integer', minimum: evil },
      type: { type: evil },
    },
    patternProperties: { [evil]: { description: evil } },
    required: ['integer', evil],
    dependentSchemas: { [evil]: {} },
    $defs: { [evil]: { description: evil } },
    [evil]: evil,
  },
  outputSchema: { type: 'object', properties: { [evil]: { type: 'string' } } },
  annotations: { [evil]: evil, constructor: true, readOnlyHint: evil },
};
const good = { name: 'good', inputSchema: { type: 'object' }, outputSchema: { type: 'object', required: [evil] } };

let server: TestServer;

beforeAll(async () => {
  server = await startServer(
    [
      { definition: tool },
      { definition: { name: `${evil}name`, inputSchema: { type: 'object', anyOf: [{}] } } },
      { definition: { name: `${evil}broken`, inputSchema: { type: evil } } },
      {
        definition: good,
        answer: async ({ fail }, { progress }) => {
          if (fail === true) throw new Error(evil);
          await progress({ progress: 1, total: 2, message: evil });
          return {
            content: [
              { type: 'text', text: evil },
              { type: 'image', data: 'AAAA', mimeType: evil },
              { type: 'resource_link', uri: evil, name: evil, description: evil },
              { type: 'resource', resource: { uri: evil, text: evil } },
              { type: 'resource', resource: { uri: evil, blob: 'AAAA', mimeType: evil } },
            ],
            structuredContent: { [evil]: 1, b: evil },
          };
        },
      },
    ],
    evil,
  );
});
afterAll(() => server.close());

describe('nothing that a server sends controls the terminal', () => {
  test.each([
    [['list']],
    [['list', '--json']],
    [['list', '--schema', 'evil']],
    [['show', 'evil']],
    [['show', 'evil', '--json']],
    [['show', 'goods']],
    [['show', `${evil}broken`]],
    [['check', '--only', 'openai,anthropic,google,cohere']],
    [['check', '--json', '--only', 'openai,google']],
    [['call', 'good', '{}']],
    [['call', 'good', '--json']],
    [['call', 'good', '{"fail": true}']],
    [['call', 'evil', '{"integer": "x"}']],
  ])('%j', async (argv) => {
    const { stdout, stderr } = await cli([...argv, '--url', server.url], { columns: 60, env: { NO_COLOR: '1' } });
    const shown = (stdout + stderr).replaceAll('\r\u001b[K', ''); // the status line's own
    expect(shown).toMatch(/\\u001b|set aside|no tool "goods"/);
    // Everything but the newline; U+202A to U+202E and U+2066 to U+2069 reorder what is read.
    expect(shown).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  });
});

test('what a server says of effects is not looked up among what every object has', async () => {
  const { stdout } = await cli(['show', 'evil', '--url', server.url]);
  expect(stdout).toContain('constructor: true');
  expect(stdout).not.toContain('undefined');
});
