import { describe, expect, test } from 'vitest';
import { hostileServer, prefixesForModels, prefixesForReaders } from '../../test-support/servers/hostile.js';
import { handshake, inFront, type InFront } from './in-front.js';

const lineBreak = /[\r\n\v\f\u0085\u2028\u2029]/;
/** What a terminal or a reader of lines makes something of. */
const interpreted = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

async function asked(relay: InFront, id: string, method: string, params: object = {}): Promise<Result> {
  relay.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return (JSON.parse(await relay.line((message) => message['id'] === id)) as { result: Result }).result;
}

interface Result {
  instructions: string;
  tools: { name: string; description: string }[];
  content: { text: string }[];
}

const prefixes = [...Object.entries(prefixesForReaders), ...Object.entries(prefixesForModels)];

describe.each(prefixes)('in front of a server whose texts begin with %s', (_name, prefix) => {
  const twice = { one: hostileServer(prefix), two: hostileServer('') };

  test('each entry of the log is one line, without escapes', async () => {
    for (const servers of [hostileServer(prefix), twice]) {
      await using relay = inFront(servers);
      for (const line of handshake) relay.write(line);
      const { tools } = await asked(relay, 'list', 'tools/list');
      for (const { name } of tools) {
        await asked(relay, `wrong ${name}`, 'tools/call', { name, arguments: { number: 'x', choice: prefix } });
        if (!/form|page/.test(name)) await asked(relay, name, 'tools/call', { name, arguments: { number: '5' } });
      }
      for (const method of ['prompts/list', 'resources/list', 'resources/templates/list'])
        await asked(relay, method, method);
      expect(relay.log.length).toBeGreaterThan(5);
      for (const entry of relay.log) expect(entry).not.toMatch(interpreted);
    }
  });

  test('no line of the instructions of several is anybody else’s', async () => {
    await using relay = inFront(twice);
    for (const line of handshake) relay.write(line);
    const { result } = JSON.parse(await relay.line(({ id }) => id === 'i')) as { result: Result };
    const ours = result.instructions.split(lineBreak).filter((line) => line !== '' && !line.startsWith('> '));
    const [, , title, ...skipped] = ours;
    expect(ours.slice(0, 2)).toEqual(['one:', 'two:']);
    expect(title).toMatch(/^Skipped, because/);
    expect(skipped.length).toBe(4);
    for (const line of skipped) expect(line).toMatch(/^- (?:tool 8|".*"): /);
  });

  test('a refusal has its own lines, and so has a search', async () => {
    await using relay = inFront(hostileServer(prefix), { toolSearch: 'on' });
    for (const line of handshake) relay.write(line);
    const { tools } = await asked(relay, 'list', 'tools/list');
    for (const { description } of tools) expect(description).not.toMatch(interpreted);
    const call = { name: 'call_tool', arguments: { name: `${prefix}named`, arguments: { number: prefix } } };
    const refused = await asked(relay, 'call', 'tools/call', call);
    for (const line of refused.content[0]!.text.split('\n'))
      expect(line).toMatch(
        /^(?:Invalid arguments for tool ".*named"\.|- \/|Correct them|The schema of its arguments: \{)/,
      );
    const search = { name: 'search_tools', arguments: { query: 'say fail refuse' } };
    const [head, ...lines] = (await asked(relay, 'search', 'tools/call', search)).content[0]!.text.split(lineBreak);
    expect(head).toMatch(/^The best \d+ of 6 tools\./);
    for (const line of lines) expect(line).toMatch(/^(?:say|fail|refuse|form|page|\w*named|".*named")\(/);
  });
});
