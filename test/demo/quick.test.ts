import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run demo:quick', () => {
  let output: string;

  beforeAll(async () => {
    // Resolves when the demo has ended with exit code 0.
    ({ stdout: output } = await run(process.execPath, ['--import', 'tsx', 'demo/quick.ts'], { cwd: root }));
  });

  test.each([
    ['MCP Verbatim', '✓ the same, to the character'],
    ['@langchain/mcp-adapters', '"not": { "type": "object" }'],
    ["n8n's MCP Client Tool", '"filter": {} }'],
  ])('The client %s sends the model what the first screen of the README says', (client, schema) => {
    expect(sectionOf(`${client} sends the model`)).toContain(schema);
  });

  test.each([
    ['MCP Verbatim', 'the server receives  {"limit":100,"filter":{"not":{"label":"bug"}}}'],
    ['@langchain/mcp-adapters', 'the model reads      Error: Received tool input did not match expected schema'],
  ])('The call through %s ends as the README says', (client, outcome) => {
    expect(sectionOf(client)).toContain(outcome);
  });

  test('The demo fits a terminal of 100 columns, and is plain text in a pipe', () => {
    expect(output.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(output).not.toContain('\u001b');
  });

  const sectionOf = (title: string) =>
    output.split('\n\n').find((section) => section.trimStart().startsWith(`${title}\n`));
});
