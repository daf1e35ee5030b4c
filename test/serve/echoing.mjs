// A server whose texts no JSON writer would produce, so unchanged text can be recognised.
import { createInterface } from 'node:readline';

const print = (text) => process.stdout.write(`${text}\n`);
const asked = new Map();
let hanging;
const others = ['many', 'ask', 'ask-and-forget', 'hang', 'die']
  .map((name) => `,{"name":"${name}","inputSchema":{"type":"object"}}`)
  .join('');

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  const answer = (text) => print(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${text}}`);
  if (method === 'initialize')
    answer(
      `"result":{"protocolVersion":"${params.protocolVersion}","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"echoing","version":"1"}}`,
    );
  else if (method === 'tools/list')
    answer(
      `"result":{"tools" : [{"name":"echo", "inputSchema":{"type":"object","properties":{"10":{"maximum":1e400},"9":{"type":"integer"}},"x":1.0}}${others}],"odd":[12345678901234567890]}`,
    );
  else if (method === 'tools/call') called(id, params, line, answer);
  else if (method === 'notifications/cancelled') {
    const said = { reason: params.reason, isSame: params.requestId === hanging };
    print(
      `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${JSON.stringify(said)}}}`,
    );
  } else if (method !== undefined && id !== undefined) answer('"error":{"code":-32601,"message":"unknown"}');
  else if (result !== undefined) asked.get(id)(line.slice(line.indexOf('"result":') + '"result":'.length, -1));
});

function called(id, { name, _meta }, line, answer) {
  if (name === 'echo') {
    const got = line.slice(line.indexOf('"params":') + '"params":'.length, -1);
    answer(`"result":{"content":[],"got":${JSON.stringify(got)}}`);
  } else if (name === 'many') {
    const progress = (n) =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(_meta.progressToken)},"progress":${n}}}`;
    print(
      [
        progress(1),
        '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}',
        progress(2),
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[]}}`,
        '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
      ].join('\n'),
    );
  } else if (name === 'ask') {
    asked.set('q1', (text) => answer(`"result":{"content":[],"got":${JSON.stringify(text)}}`));
    print('{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","n":1.50}}');
  } else if (name === 'ask-and-forget') {
    print('{"jsonrpc":"2.0","id":"q2","method":"elicitation/create","params":{"message":"?"}}');
    print('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q2","reason":"never mind"}}');
  } else if (name === 'hang') {
    hanging = id;
    print('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hanging"}}');
  } else if (name === 'die') process.exit(3);
}
