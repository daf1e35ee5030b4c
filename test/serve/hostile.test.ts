import { describe, expect, onTestFinished, test } from 'vitest';
import {
  hostileServer,
  prefixesForModels,
  prefixesForReaders,
  startHostileServer,
} from '../../test-support/servers/hostile.js';
import { answered, asked, greeted, type InFront, scripted } from './in-front.js';

const lineBreak = /[\r\n\v\f\u0085\u2028\u2029]/;
/** Characters that control a terminal or split a line. */
const interpreted = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

async function resultOf(gateway: InFront, method: string, params: object = {}) {
  return (await answered(gateway, method, params)).result;
}

const prefixes = [...Object.entries(prefixesForReaders), ...Object.entries(prefixesForModels)];

describe('hostile servers behind one gateway', () => {
  const names = prefixes.map((_, at) => `s${at}`);
  const named = <T>(servers: readonly T[]) => Object.fromEntries(servers.map((server, at) => [names[at]!, server]));

  test('Hostile servers write no line of the instructions but their own', async () => {
    const servers = await Promise.all(prefixes.map(([, prefix]) => startHostileServer(prefix)));
    for (const server of servers) onTestFinished(server.close);
    await using gateway = greeted(named(servers.map(({ url }) => ({ url }))));
    const { result } = await gateway.message(({ id }) => id === 'i');
    const ours = result.instructions!.split(lineBreak).filter((line) => line !== '' && !line.startsWith('> '));
    const [title, ...skipped] = ours.slice(names.length);
    expect(ours.slice(0, names.length)).toEqual(names.map((name) => `${name}:`));
    expect(title).toMatch(/^Skipped, because/);
    expect(skipped).toHaveLength(2 * names.length);
    for (const line of skipped) expect(line).toMatch(/^- (?:tool 8|".*"): /);
  });

  test('Hostile servers write entries of the log that are one line each, without escapes', async () => {
    // Over stdio their stderr goes to the log, too.
    await using gateway = greeted(named(prefixes.map(([, prefix]) => hostileServer(prefix))));
    const { tools } = await resultOf(gateway, 'tools/list');
    const choice = prefixes.map(([, prefix]) => prefix).join('');
    for (const { name } of tools) {
      await resultOf(gateway, 'tools/call', { name, arguments: { number: 'x', choice } });
      if (!/form|page/.test(name)) await resultOf(gateway, 'tools/call', { name, arguments: { number: '5' } });
    }
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list'])
      await resultOf(gateway, method);
    expect(gateway.log.length).toBeGreaterThan(5 * names.length);
    for (const entry of gateway.log) expect(entry).not.toMatch(interpreted);
  });
});

test.each(prefixes)("A server's text forges no lines in refusals and search results (%s)", async (_, prefix) => {
  await using server = await startHostileServer(prefix);
  await using gateway = greeted({ url: server.url }, { toolSearch: 'on' });
  const { tools } = await resultOf(gateway, 'tools/list');
  for (const { description } of tools) expect(description).not.toMatch(interpreted);
  const call = { name: 'call_tool', arguments: { name: `${prefix}named`, arguments: { number: prefix } } };
  const refused = await resultOf(gateway, 'tools/call', call);
  for (const line of refused.content[0]!.text.split('\n'))
    expect(line).toMatch(
      /^(?:Invalid arguments for tool ".*named"\.|- \/|Correct them|The schema of its arguments: \{)/,
    );
  const search = { name: 'search_tools', arguments: { query: 'say fail refuse' } };
  const [head, ...lines] = (await resultOf(gateway, 'tools/call', search)).content[0]!.text.split(lineBreak);
  expect(head).toMatch(/^The best \d+ of 6 tools\./);
  for (const line of lines) expect(line).toMatch(/^(?:say|fail|refuse|form|page|\w*named|".*named")\(/);
  for (const entry of gateway.log) expect(entry).not.toMatch(interpreted);
});

test('The secret of an address is not in the log, even if its server or a client names a tool after it', async () => {
  const server = scripted("'tools/list': { tools: [{ name: process.env.API_TOKEN }] },");
  await using gateway = greeted({ ...server, env: { API_TOKEN: 'hunter2-of-the-server' } });
  await asked(gateway, 'tools/list');
  expect(gateway.log.join('\n')).toMatch(/skipped "\[hidden\]"/);
  await asked(gateway, 'tools/call', { name: 'hunter2-of-the-server' });
  expect(gateway.log.join('\n')).not.toContain('hunter2');
});
