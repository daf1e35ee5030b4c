// Uses the library in every runtime: it talks to a server, checks, repairs and digests.
import { callTool, checkArguments, compileSchema, connect, evaluate, approveTools, modelTools } from 'mcp-verbatim';

export async function check(url) {
  const notified = [];
  const session = await connect({ url }, { elicit: () => ({ action: 'accept', content: { sure: true } }) });
  const stop = session.onListChanged((list) => notified.push(list));
  const { tools } = await session.listTools();
  const [tool] = tools;
  const { result } = await callTool(session, tool, { n: '5', slug: 'a-long-slug' }, { repairs: 'safe' });
  const asked = await callTool(session, tools[1], {});
  const refused = refusalOf(() => checkArguments(tool, { n: 'five' }));
  const raw = await session.request('vendor/count', { of: 'tools' });
  const stdio = await connect({ transport: 'stdio', command: 'node', args: ['--version'] }).then(
    (other) => other.close().then(() => 'started'),
    ({ code }) => code,
  );
  const pinned = JSON.stringify(approveTools(await session.listTools()));
  stop();
  await session.close();
  const endless = compileSchema({ pattern: '^(a+)+$' });
  return {
    revision: session.protocolVersion,
    schema: tool.text.inputSchema,
    said: result.content[0].text,
    asked: asked.result.content[0].text,
    refused,
    raw: raw.text,
    stdio,
    pinned,
    formats: ['münchen.de', 'a..b', '-a.de'].map(
      (text) => evaluate(compileSchema({ format: 'idn-hostname' }), text, { assertFormats: true }).outcome,
    ),
    endless: evaluate(endless, `${'a'.repeat(40)}b`).outcome,
    note: endless.diagnostics.map(({ message }) => message),
    sent: modelTools([tool], { provider: 'openai' })[0].name,
  };
}

function refusalOf(work) {
  try {
    return work();
  } catch ({ code }) {
    return code;
  }
}
