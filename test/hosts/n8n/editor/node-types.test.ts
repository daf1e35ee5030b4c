import { beforeAll, describe, expect, test } from 'vitest';
import { useBench } from '../harness.js';

/** What the editor knows of a node. */
interface NodeType {
  name: string;
  displayName: string;
  codex?: { categories?: string[]; subcategories?: Record<string, string[]>; alias?: string[] };
  iconUrl?: { light: string; dark: string };
}

describe('what the editor is sent of the nodes', () => {
  const bench = useBench();
  let nodes: Map<string, NodeType>;

  beforeAll(async () => {
    const all = (await (
      await fetch(`${bench.api.url}/types/nodes.json`, { headers: bench.api.headers })
    ).json()) as NodeType[];
    nodes = new Map(
      all.filter(({ name }) => name.startsWith('n8n-nodes-mcp-verbatim.')).map((node) => [node.name, node]),
    );
  });

  const node = (name: string) => nodes.get(`n8n-nodes-mcp-verbatim.${name}`);

  test('both nodes, and the tool that n8n makes of the first', () => {
    expect([...nodes.values()].map(({ displayName }) => displayName)).toEqual(
      expect.arrayContaining(['MCP Verbatim', 'MCP Verbatim Tool']),
    );
    expect(nodes.size).toBe(3);
  });

  test('the panel finds MCP Verbatim: of the category AI, the editor shows root nodes only', () => {
    expect(node('mcpVerbatim')?.codex).toMatchObject({
      categories: expect.arrayContaining(['AI']),
      subcategories: { AI: expect.arrayContaining(['Root Nodes']) },
    });
  });

  test('the search for "mcp" finds both', () => {
    for (const name of ['mcpVerbatim', 'mcpVerbatimAi']) expect(node(name)?.codex?.alias).toContain('mcp');
  });

  test('icons for light and dark are served', async () => {
    for (const { iconUrl } of nodes.values()) {
      for (const icon of [iconUrl?.light, iconUrl?.dark]) {
        const response = await fetch(`${bench.api.url}/${icon}`, { headers: bench.api.headers });
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toContain('svg');
      }
    }
  });
});
