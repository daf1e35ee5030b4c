import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../../test-support/servers/program.js';
import { published, startEverything } from '../../test-support/servers/published.js';
import { everything, inFront, inFrontOverHttp } from './in-front.js';

/** Two real servers: the published one, on SDK 1.x with a handshake, and one of 2026-07-28 without. */
const overStreams = {
  published: published('server-everything'),
  latest: { ...everything, args: [...everything.args, 'latest'] },
};
let overHttp: Record<'published' | 'latest', Program>;
beforeAll(async () => {
  const [first, second] = [startEverything(), startProgram(everything.args[0]!, ['http', 'latest'])];
  overHttp = { published: await first, latest: await second };
});
afterAll(async () => {
  await Promise.all(Object.values(overHttp).map((server) => server.close()));
});

const uri = 'demo://resource/dynamic/text/1';

test.each([
  ['2025-11-25', 'HTTP'],
  ['2026-07-28', 'HTTP'],
  ['2026-07-28', 'stdio'],
])(
  'A client of %s over %s has the tools, prompts, resources, completions, questions and announcements of two servers of different revisions',
  async (revision, how) => {
    await using front = how === 'stdio' ? frontOverStdio() : await frontOverHttp();
    const isStateless = revision === '2026-07-28';
    const mode = isStateless ? 'auto' : 'legacy';
    const options = { capabilities: { elicitation: {} }, versionNegotiation: { mode } } as const;
    const client = new Client({ name: 'test', version: '1' }, options);
    const heard = { asked: [] as string[], logged: [] as unknown[], updated: [] as string[] };
    client.setRequestHandler('elicitation/create', ({ params }) => {
      heard.asked.push(params.message);
      return { action: 'accept', content: { name: 'Ada' } };
    });
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.logged.push(params.data));
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.updated.push(params.uri),
    );
    await client.connect(front.transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    // A call is checked although no list was requested.
    const refused = await client.callTool({ name: 'latest_json_schema_2020_12_tool', arguments: { other: 1 } });
    expect(JSON.stringify(refused.content)).toContain('The tool was not called');

    const named = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);
    const both = (...names: string[]) => expect.arrayContaining(names) as string[];
    expect(named((await client.listTools()).tools)).toEqual(both('published_echo', 'latest_test_simple_text'));
    const sum = await client.callTool({ name: 'published_get-sum', arguments: { a: '2', b: 3 } });
    expect(JSON.stringify(sum.content)).toContain('is 5');
    const simple = await client.callTool({ name: 'latest_test_simple_text', arguments: {} });
    expect(JSON.stringify(simple.content)).toContain('simple text response');

    const prompts = ['published_simple-prompt', 'latest_test_simple_prompt'];
    expect(named((await client.listPrompts()).prompts)).toEqual(both(...prompts));
    for (const name of prompts) expect((await client.getPrompt({ name })).messages).not.toEqual([]);
    for (const [name, argument, value, values] of [
      ['published_completable-prompt', 'department', 'S', ['Sales', 'Support']],
      ['latest_test_prompt_with_arguments', 'arg1', 'par', ['paris', 'park', 'party']],
    ] as const) {
      const completed = client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument, value } });
      expect((await completed).completion.values).toEqual(values);
    }

    const listed = (await client.listResources()).resources.map((resource) => resource.uri);
    expect(listed).toContain('test://static-text');
    const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates).toEqual(both('demo://resource/dynamic/text/{resourceId}', 'test://template/{id}/data'));
    for (const each of ['test://static-text', 'test://template/7/data', uri])
      expect((await client.readResource({ uri: each })).contents).toHaveLength(1);
    await expect(client.readResource({ uri: 'nobody://has/this' })).rejects.toThrow(/nobody:\/\/has\/this|not found/i);

    const progress: number[] = [];
    for (const [name, args] of [
      ['published_trigger-long-running-operation', { duration: 0.1, steps: 2 }],
      ['latest_test_tool_with_progress', {}],
    ] as const)
      await client.callTool({ name, arguments: args }, { onprogress: (report) => void progress.push(report.progress) });
    expect(progress).toEqual([1, 2, 0, 50, 100]);

    const elicited = await client.callTool({ name: 'latest_test_input_required_result_elicitation', arguments: {} });
    expect(JSON.stringify(elicited.content)).toContain('Ada');
    await client.callTool({ name: 'published_trigger-elicitation-request', arguments: {} });
    expect(heard.asked).toHaveLength(2);

    if (isStateless) await client.listen({ resourceSubscriptions: [uri] });
    else {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- of this revision
      await client.setLoggingLevel('info');
      await client.callTool({ name: 'latest_test_tool_with_logging', arguments: {} });
      const texts = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
      await expect.poll(() => heard.logged).toEqual(both(...texts));
      await client.subscribeResource({ uri });
      await client.subscribeResource({ uri: 'test://static-text' });
    }
    await client.callTool({ name: 'published_toggle-subscriber-updates', arguments: {} });
    await expect.poll(() => heard.updated).toContain(uri);
    await client.close();
  },
);

function frontOverStdio() {
  const gateway = inFront(overStreams);
  return { ...gateway, transport: gateway.transport as Transport };
}

async function frontOverHttp() {
  const { published, latest } = overHttp;
  const gateway = await inFrontOverHttp({ published: { url: published.url }, latest: { url: latest.url } });
  return { ...gateway, transport: new StreamableHTTPClientTransport(new URL(gateway.url)) };
}
