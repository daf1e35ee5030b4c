import { expect } from 'vitest';
import type { CatalogueTool, McpError, ToolResult } from '../../src/mcp/index.js';

/** A tool for calls in tests that list no tools. */
export function toolNamed(name: string, inputSchema: Record<string, unknown> = { type: 'object' }): CatalogueTool {
  return { name, inputSchema, definition: { name, inputSchema }, notes: [] };
}

export function textOf(result: ToolResult): string {
  return result.content.map((block) => block['text']).join('');
}

/** The error with which a promise is rejected. */
export async function failureOf(promise: Promise<unknown>): Promise<McpError> {
  return promise.then(
    (value) => expect.fail(`expected an error, got ${JSON.stringify(value ?? null).slice(0, 200)}`),
    (error: unknown) => error as McpError, // the assertions check everything else
  );
}
