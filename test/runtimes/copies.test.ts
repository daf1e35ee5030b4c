import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type * as langchain from '../../src/langchain/index.js';
import { startHttpServer } from '../../test-support/servers/http.js';

// The output of `npm run build`. A process loads both copies if some of its packages are CommonJS and others are not.
const dist = fileURLToPath(new URL('../../packages/mcp-verbatim/dist', import.meta.url));
type Copy = typeof langchain;
const modules = (await import(pathToFileURL(join(dist, 'esm/langchain.js')).href)) as Copy;
const required = createRequire(import.meta.url)(join(dist, 'cjs/langchain.js')) as Copy;

const copies: [string, Copy, Copy][] = [
  ['ES modules and CommonJS', modules, required],
  ['CommonJS and ES modules', required, modules],
];

/** A schema that Anthropic rejects unless it is adapted. */
const inputSchema = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: {}, b: {} } };

describe.each(copies)('a process with the copies %s', (_, one, other) => {
  const classes = (copy: Copy) =>
    Object.entries(copy).flatMap(([name, value]) =>
      typeof value === 'function' && value.prototype instanceof Error ? [[name, value] as const] : [],
    );

  test('An error of two copies is of the same class in both, and of no other class', () => {
    expect(classes(one).length).toBeGreaterThan(15);
    for (const [name, Class] of classes(one)) {
      const error = Object.create(Class.prototype as object) as Error;
      const own = classes(one).flatMap(([known, Known]) => (error instanceof Known ? [known] : []));
      const others = classes(other).flatMap(([known, Known]) => (error instanceof Known ? [known] : []));
      expect(others, name).toEqual(own);
      expect(own, name).toContain('McpError');
      expect(own, name).toContain(name);
      expect(other.isMcpVerbatimError(error), name).toBe(true);
    }
    expect(new TypeError() instanceof other.ConfigurationError).toBe(false);
    expect(other.isMcpVerbatimError(new TypeError())).toBe(false);
  });

  test('An error that is thrown by one copy is known by the other', async () => {
    const error: unknown = await one.mcpTools({ url: 'http://127.0.0.1:1/mcp' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(other.ConnectionError);
    expect(error).toBeInstanceOf(other.McpError);
    expect(() => one.verbatimTools(7 as never)).toThrow(other.ConfigurationError);
  });

  test.each(['verbatimTools', 'toolSearch'] as const)(
    "A copy's %s adapts and calls the tools of the other copy",
    async (middleware) => {
      const { url, close } = await startHttpServer({ 'tools/list': { tools: [{ name: 'echo', inputSchema }] } });
      onTestFinished(close);
      await using tools = await other.mcpTools({ url });
      const { wrapModelCall, ...made } = one[middleware]([...tools], { always: ['echo'] });
      const model = {
        lc_namespace: ['langchain', 'chat_models'],
        _llmType: () => 'anthropic',
        model: 'claude-sonnet-4-5',
      };
      const sent = wrapModelCall({ model, messages: [], tools: made.tools }, (request) => request.tools);
      const echo = sent.find((tool) => (tool as { name: string }).name === 'echo') as { schema: object };
      expect(echo.schema).not.toHaveProperty('anyOf');
      expect(echo.schema).toHaveProperty('type', 'object');
      const tool = made.tools.find(({ name }) => name === 'echo')!;
      expect(JSON.stringify(await tool.invoke({ a: 'said' }))).toContain('said');
    },
  );
});
