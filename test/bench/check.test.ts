import { existsSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { preparePackages } from '../../bench/install.js';
import { nodeFor } from '../../bench/peer.js';
import { startServer } from '../langchain/server.js';
import { findPersons, tool } from '../langchain/tools.js';

const installed = existsSync(fileURLToPath(new URL('../../bench/peers/node_modules', import.meta.url)));
const bin = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

interface Report {
  consumers: { id: string; unchecked?: string }[];
  findings: { consumer: string; tool: string; severity: string; what: string }[];
}

describe.skipIf(!process.env['CI'] && !installed)(
  'mcp-verbatim check beside installed frameworks (peers not installed: npm run bench)',
  () => {
    let report: Report;

    beforeAll(async () => {
      const folder = preparePackages('peers');
      await using server = await startServer([
        { definition: findPersons },
        tool('plain', {
          inputSchema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
        }),
      ]);
      report = await new Promise((resolve) => {
        execFile(nodeFor(folder), [bin, 'check', '--json', '--url', server.url], { cwd: folder }, (_error, stdout) =>
          resolve(JSON.parse(stdout) as Report),
        );
      });
    });

    test('runs them all', () => {
      const frameworks = report.consumers.slice(4);
      expect(frameworks.map(({ id }) => id)).toEqual([
        'zod',
        '@n8n/json-schema-to-zod',
        '@langchain/mcp-adapters',
        '@ai-sdk/mcp',
        '@openai/agents',
        'mcp-use',
      ]);
      expect(frameworks.filter(({ unchecked }) => unchecked !== undefined)).toEqual([]);
      expect(report.findings.filter(({ what }) => what.includes('whole list fails'))).toEqual([]);
    });

    test.each([
      ['zod', 'fg_findPersons'],
      ['@n8n/json-schema-to-zod', 'fg_findPersons'],
      ['@langchain/mcp-adapters', 'fg_findPersons'],
      ['@openai/agents', 'plain'],
      ['mcp-use', 'fg_findPersons'],
    ])('%s loses something of %s', (consumer, name) => {
      expect(report.findings).toContainEqual(expect.objectContaining({ consumer, tool: name }));
    });

    test('a schema that they all leave as it is has no finding from @ai-sdk/mcp and @langchain/mcp-adapters', () => {
      const own = report.findings.filter(
        ({ consumer, tool: name }) => name === 'plain' && ['@ai-sdk/mcp', '@langchain/mcp-adapters'].includes(consumer),
      );
      expect(own).toEqual([]);
    });
  },
);
