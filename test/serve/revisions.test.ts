import { describe, expect, test } from 'vitest';
import { handshakeRevisions } from '../../src/mcp/index.js';
import {
  discoverResult,
  identityInEnvelope,
  identityInHandshake,
  inEnvelope,
  initializeResult,
  logLevelIn,
  statelessResult,
  subscribedIn,
} from '../../src/serve/revisions.js';

const envelope = (name: string) => `io.modelcontextprotocol/${name}`;

describe('A client', () => {
  test.each([
    [{ clientInfo: { name: 'c', version: '2', title: 'C' } }, { name: 'c', version: '2', title: 'C' }],
    [{ clientInfo: { name: 1, version: null } }, { name: 'unknown', version: '0' }],
    [{ clientInfo: 'c' }, { name: 'unknown', version: '0' }],
    [{}, { name: 'unknown', version: '0' }],
  ])('that says %j of itself in its handshake is %j', (params, clientInfo) => {
    expect(identityInHandshake(params)).toMatchObject({ era: 'handshake', clientInfo });
    const meta = 'clientInfo' in params ? { [envelope('clientInfo')]: params.clientInfo } : {};
    expect(identityInEnvelope({ _meta: meta })).toMatchObject({ era: 'stateless', clientInfo });
  });

  test('can do what it says, and nothing else', () => {
    const capabilities = { roots: {} };
    expect(identityInHandshake({ capabilities }).capabilities).toEqual(capabilities);
    expect(identityInHandshake({ capabilities: true }).capabilities).toEqual({});
    expect(identityInEnvelope({ _meta: { [envelope('clientCapabilities')]: capabilities } }).capabilities).toEqual(
      capabilities,
    );
    expect(identityInEnvelope({ _meta: 'x' }).capabilities).toEqual({});
  });

  test.each([
    ['2025-06-18', '2025-06-18'],
    ['2031-01-01', undefined],
    [7, undefined],
  ])('that asks for revision %j is offered %j', (protocolVersion, offering) => {
    expect(identityInHandshake({ protocolVersion }).offering).toBe(offering);
  });

  test.each([
    [{ _meta: { [envelope('logLevel')]: 'info' } }, 'info'],
    [{ _meta: { [envelope('logLevel')]: 3 } }, undefined],
    [{ _meta: [] }, undefined],
    [{}, undefined],
  ])('asks in %j for messages of the level %j', (params, level) => {
    expect(logLevelIn(params)).toBe(level);
  });

  test.each([
    ['subscriptions/listen', { notifications: { resourceSubscriptions: ['a:/1', 2, 'a:/3'] } }, ['a:/1', 'a:/3']],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: 'a:/1' } }, []],
    ['subscriptions/listen', { notifications: null }, []],
    ['subscriptions/listen', 'x', []],
    ['tools/call', { notifications: { resourceSubscriptions: ['a:/1'] } }, []],
  ])('subscribes by %s of %j to %j', (method, params, uris) => {
    expect(subscribedIn({ method, params })).toEqual(uris);
  });

  test('subscribes to nothing by what is no message', () => {
    expect(subscribedIn('subscriptions/listen')).toEqual([]);
  });
});

describe('The envelope of a request (2026-07-28)', () => {
  const client = identityInHandshake({ clientInfo: { name: 'c', version: '2' } });
  const metaOf = (text: string) => (JSON.parse(text) as { _meta: Record<string, unknown> })._meta;

  test('is put around params that have none, which stay as they are written', () => {
    const text = inEnvelope('{"a":1.0,"_meta":{"x":1e2}}', client, undefined);
    expect(text).toContain('"a":1.0');
    expect(text).toContain('"x":1e2');
    expect(metaOf(text)).toEqual({
      x: 100,
      [envelope('protocolVersion')]: '2026-07-28',
      [envelope('clientInfo')]: { name: 'c', version: '2' },
      [envelope('clientCapabilities')]: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    });
  });

  test('has the level of log messages where one is asked for', () => {
    expect(metaOf(inEnvelope('{}', client, 'info'))[envelope('logLevel')]).toBe('info');
  });

  test('says what the client can do, and that tasks are followed for it', () => {
    const able = identityInHandshake({ capabilities: { roots: {}, extensions: { 'a/b': { c: 1 } } } });
    expect(metaOf(inEnvelope('{}', able, undefined))[envelope('clientCapabilities')]).toEqual({
      roots: {},
      extensions: { 'a/b': { c: 1 }, 'io.modelcontextprotocol/tasks': {} },
    });
  });

  test('of a client of that revision stays as it is', () => {
    const params = `{"_meta":{"${envelope('protocolVersion')}":"2026-07-28"}}`;
    expect(inEnvelope(params, client, 'info')).toBe(params);
  });
});

describe('A result for a client of 2026-07-28', () => {
  test.each([
    ['tools/call', '{"a":1.0}', '{"resultType":"complete","a":1.0}'],
    ['tools/list', '{"tools":[]}', '{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[]}'],
    ['resources/read', '{"ttlMs":5,"resultType":"x"}', '{"cacheScope":"private","ttlMs":5,"resultType":"x"}'],
  ])('of %s, %s, is told as %s', (method, text, told) => {
    expect(statelessResult(method, text)).toBe(told);
  });
});

describe('What a server says of itself', () => {
  const rest = { capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
  const said = { ...rest, instructions: undefined };

  test('is told in the revision that the client asks for, or else in the newest with a handshake', () => {
    const asking = (protocolVersion: string) => identityInHandshake({ protocolVersion });
    expect(JSON.parse(initializeResult(said, asking('2025-03-26')))).toEqual({
      protocolVersion: '2025-03-26',
      ...rest,
    });
    const newest = JSON.parse(initializeResult({ ...said, instructions: 'Ask.' }, asking('2031-01-01'))) as unknown;
    expect(newest).toEqual({ protocolVersion: handshakeRevisions[0], ...rest, instructions: 'Ask.' });
  });

  test('is told as a discovery', () => {
    const discovery = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [envelope('serverInfo')]: rest.serverInfo },
    };
    expect(JSON.parse(discoverResult(said))).toEqual(discovery);
    expect(JSON.parse(discoverResult({ ...said, instructions: 'Ask.' }))).toEqual({
      ...discovery,
      instructions: 'Ask.',
    });
  });
});
