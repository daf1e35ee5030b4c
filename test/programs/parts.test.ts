import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { isObject } from '../../src/json/index.js';
import { followingModel as ofLangChain, opener } from '../../src/langchain/options.js';
import { apiOf, modelSeesMedia, providerOf } from '../../src/langchain/provider-of-model.js';
import type { Session } from '../../src/mcp/index.js';
import { schemaFor } from '../../src/programs/model-schema.js';
import { followingModel, namedModel, seesMedia } from '../../src/programs/named-model.js';
import { retryLost } from '../../src/programs/open-tools.js';
import { refuseFailures } from '../../src/programs/report.js';
import { serverOf } from '../../src/programs/servers.js';
import { readSource } from '../../src/programs/sources.js';
import { settled } from '../../test-support/waiting.js';

/** `of class` is the name of a model's class. */
const parts = JSON.parse(readFileSync(new URL('./parts.json', import.meta.url), 'utf8'), (_, value: unknown) =>
  isObject(value) && 'of class' in value ? { ...value, getName: () => value['of class'] } : value,
) as {
  sources: [source: never, servers: unknown][];
  servers: [source: never, options: object, several: boolean, server: unknown][];
  models: [options: { model?: object; provider?: never; api?: never }, read: unknown][];
  failures: [
    servers: { name: string; isNamed?: boolean; error?: string; problem?: string }[],
    onServerError: 'report' | 'throw' | 'a function' | null,
    ends: object,
  ][];
  schemas: [options: object, schema: object, models: [never?, never?][], read: unknown][];
};

/** The result as JSON holds it, or the message of the error. */
function told(work: () => unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(work()));
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(parts.sources)('The source %j is read', (source, servers) => {
  expect(told(() => readSource(source, opener))).toEqual(servers);
});

test.each(parts.servers)(
  'The servers of %j with the options %j, several: %j',
  (source, options, isOneOfSeveral, read) => {
    const more = { isOneOfSeveral, elicit: undefined, onChanged: () => {} };
    const server = () => {
      const {
        name,
        prefix,
        address,
        policy,
        isNamed,
        unread,
        options: own,
      } = serverOf(readSource(source, opener)[0]!, options, more);
      return { name, prefix, address, policy, isNamed, unread, options: own };
    };
    expect(told(server)).toEqual(read);
  },
);

test.each(parts.models)('Of the model in %j, the hosts know %j', (options, read) => {
  const { model, provider, api } = options;
  const own = { provider: providerOf(model), api: apiOf(model) };
  const sees = [seesMedia(provider, api), modelSeesMedia(provider, api, model)];
  const known = () => [ofLangChain(options), followingModel(options), namedModel(model), own, sees];
  expect(told(known)).toEqual(told(() => read));
});

test.each(parts.schemas)(
  'With the options %j, the schema %j is read by the models %j',
  (options, schema, models, read) => {
    let unnamed = 0;
    const made = schemaFor(schema as Record<string, unknown>, options, () => unnamed++);
    const state = () => {
      const { schema: read, adaptedFor, isAdaptedUnnamed, isCut, argumentsFrom } = made;
      return { read: named(read), adaptedFor, isAdaptedUnnamed, isCut, args: argumentsFrom({ a: 1, a_b: 2 }), unnamed };
    };
    const named = (sent: object) =>
      sent === schema ? 'the very one' : isDeepStrictEqual(sent, schema) ? 'a copy' : sent;
    const sent = ([provider, api]: [never?, never?]) => named(made.sentTo(provider, api));
    expect(told(() => [state(), ...models.map(sent), state()])).toEqual(read);
  },
);

test.each(parts.failures)('The failed servers %j, with onServerError %j, end in %j', (servers, onServerError, ends) => {
  const heard: unknown[] = [];
  const listed = servers.map(({ name, isNamed = true, error, problem }) => ({
    server: { name, isNamed },
    ...(error !== undefined && { error: new Error(error) }),
    ...(problem !== undefined && { admission: { problem: new Error(problem) } }),
  }));
  const handler = (error: unknown, name: string) => void heard.push([name, (error as Error).message]);
  const refused = () => {
    try {
      refuseFailures(listed as never, {
        onServerError: onServerError === 'a function' ? handler : (onServerError ?? undefined)!,
      });
    } catch (error) {
      const { name, message, servers: failed, errors } = error as AggregateError & { servers?: object };
      return { name, message, servers: failed && Object.keys(failed), errors: errors as unknown };
    }
  };
  expect(JSON.parse(JSON.stringify({ heard, thrown: refused() }))).toEqual(ends);
});

test('A lost server is tried again once at a time, and no other', async () => {
  const report = [{ status: 'connected' }, { status: 'failed' }];
  const ends: ((error?: Error) => void)[] = [];
  const refresh = () => new Promise<void>((done, fail) => ends.push((error) => (error ? fail(error) : done())));
  const retry = retryLost({ report, refresh });
  for (const end of [new Error('Gone.'), undefined]) {
    const { length } = ends;
    retry();
    retry();
    expect(ends).toHaveLength(length + 1);
    ends.at(-1)!(end);
    await settled();
  }
  report.pop();
  retry();
  retryLost([])();
  expect(ends).toHaveLength(2);
});

test('An open session is its own source, and stays with the address that it was opened at', () => {
  const session = {
    address: { url: 'http://one.example' },
    callTool: () => {},
    listTools: () => {},
  } as unknown as Session; // only the members that are read
  const [lone, ...others] = readSource<object>(session, opener);
  expect([lone, ...others]).toEqual([
    { at: session, name: undefined, own: {}, beside: {}, toolTimeoutMs: undefined, unread: [] },
  ]);
  const [named] = readSource({ mcpServers: { one: session }, defaultToolTimeout: 9 }, opener);
  expect(named).toEqual({
    at: session,
    name: 'one',
    own: {},
    beside: { defaultToolTimeout: 9 },
    toolTimeoutMs: 9,
    unread: [],
  });
  const heard: unknown[] = [];
  const open = {
    ...session,
    capabilities: {},
    onNotification: (on: unknown) => void heard.push(on),
  } as unknown as Session; // only the members that are read
  const { address } = serverOf(
    { ...lone!, at: open },
    {},
    { isOneOfSeveral: false, elicit: undefined, onChanged: () => {} },
  );
  expect([address, heard]).toEqual([{ url: 'http://one.example' }, []]);
});
