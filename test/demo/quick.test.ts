import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run demo:quick', () => {
  let code: number | null;
  let output: string;

  beforeAll(async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'demo/quick.ts'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    output = await text(child.stdout);
    code = await ended;
  });

  test('ends by itself', () => {
    expect(code).toBe(0);
  });

  test.each([
    ['MCP Verbatim', '✓ the same, to the character'],
    ['@langchain/mcp-adapters', '"not": { "type": "object" }'],
    ["n8n's MCP Client Tool", '"filter": {} }'],
  ])('%s sends the model what the first screen of the README says', (client, schema) => {
    expect(sectionOf(`${client} sends the model`)).toContain(schema);
  });

  test.each([
    ['MCP Verbatim', 'the server receives  {"limit":100,"filter":{"not":{"label":"bug"}}}'],
    ['@langchain/mcp-adapters', 'the model reads      Error: Received tool input did not match expected schema'],
  ])('the call through %s ends as the README says', (client, outcome) => {
    expect(sectionOf(client)).toContain(outcome);
  });

  test('fits a terminal of 100 columns, and is plain text in a pipe', () => {
    expect(output.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(output).not.toContain('\u001b');
  });

  const sectionOf = (title: string) =>
    output.split('\n\n').find((section) => section.trimStart().startsWith(`${title}\n`));
});
