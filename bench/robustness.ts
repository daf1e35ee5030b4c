import type { ReplayServer } from '../test-support/servers/replay.js';
import { asked } from './control.js';
import { HangError } from './peer.js';
import type { Peer } from './peer.js';

const good = (name: string) => ({
  name,
  description: 'A good tool.',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
});

/** One odd tool between two good ones; each has been seen on a published server or in a public issue. */
const oddTools: Record<string, string> = {
  'no inputSchema': '{"name":"odd","description":"x"}',
  'inputSchema null': '{"name":"odd","inputSchema":null}',
  'inputSchema without type': '{"name":"odd","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}}',
  'root type is string': '{"name":"odd","inputSchema":{"type":"string"}}',
  'required: null': '{"name":"odd","inputSchema":{"type":"object","required":null}}',
  'boolean property schema': '{"name":"odd","inputSchema":{"type":"object","properties":{"any":true}}}',
  'description null': '{"name":"odd","description":null,"inputSchema":{"type":"object"}}',
  'no name': '{"description":"x","inputSchema":{"type":"object"}}',
  'outputSchema that cannot be compiled':
    '{"name":"odd","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/missing"}}}}',
  'pattern that JavaScript cannot parse':
    '{"name":"odd","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"(?P<x>a)"}}}}',
  'dangling $ref':
    '{"name":"odd","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/A"}}}}',
  'annotations of the wrong type':
    '{"name":"odd","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}}',
  'the same name twice': '{"name":"first","inputSchema":{"type":"object"}}',
};

const listOf = (tools: string, cursor = '') => `{"jsonrpc":"2.0","id":0,"result":{"tools":[${tools}]${cursor}}}`;
const evil = (name: string, schema: object) => listOf(JSON.stringify({ name, description: 'x', inputSchema: schema }));

/** Schemas and lists that keep a client busy for ever. */
const hostile: Record<string, { page: string; args: unknown }> = {
  'pattern ^(a+)+$': {
    page: evil('tool', { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }),
    args: { a: `${'a'.repeat(40)}!` },
  },
  '$ref fan-out, 2^30': {
    page: evil('tool', {
      type: 'object',
      properties: { a: { $ref: '#/$defs/n30' } },
      $defs: Object.fromEntries(
        Array.from({ length: 31 }, (_unused, n) => [
          `n${n}`,
          n === 0 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/n${n - 1}` }, { $ref: `#/$defs/n${n - 1}` }] },
        ]),
      ),
    }),
    args: { a: 5 },
  },
};

export function oddServers(): Record<string, string[]> {
  const around = (odd: string) => [
    listOf([JSON.stringify(good('first')), odd, JSON.stringify(good('last'))].join(',')),
  ];
  return {
    ...Object.fromEntries(Object.entries(oddTools).map(([name, odd]) => [`odd: ${name}`, around(odd)])),
    ...Object.fromEntries(Object.entries(hostile).map(([name, { page }]) => [`hostile: ${name}`, [page]])),
    'endless cursor': [listOf(JSON.stringify(good('first')), ',"nextCursor":"again"')],
  };
}

export interface RobustnessRow {
  name: string;
  fine: boolean;
  /** In few words. */
  what: string;
}

export async function robustness(peer: Peer, server: ReplayServer): Promise<RobustnessRow[]> {
  const rows: RobustnessRow[] = [];
  const about = <Answer>(name: string, question: (url: string) => Promise<Answer>) =>
    asked(peer.name, server, name, () => question(server.url(name)));
  for (const name of Object.keys(oddTools)) {
    const tools = await about(`odd: ${name}`, (url) => peer.list(url));
    const names = tools instanceof Error ? [] : tools;
    const fine = ['first', 'last'].every((wanted) => names.includes(wanted));
    rows.push({
      name,
      fine,
      what: fine ? 'others usable' : tools instanceof HangError ? 'hangs' : names.length > 0 ? 'some lost' : 'all lost',
    });
  }
  for (const [name, { args }] of Object.entries(hostile)) {
    const outcome = await about(`hostile: ${name}`, (url) => peer.call(url, 'tool', args));
    const hangs = outcome instanceof HangError;
    rows.push({ name, fine: !hangs, what: hangs ? 'hangs' : 'answers' });
  }
  const endless = await about('endless cursor', (url) => peer.list(url));
  rows.push({
    name: 'the same cursor for ever',
    fine: !(endless instanceof HangError),
    what: endless instanceof HangError ? 'hangs' : endless instanceof Error ? 'error' : 'ends',
  });
  return rows;
}
