import type { CatalogueTool } from '../../src/index.js';

/** Whether a tool has an argument called `tool`, which n8n's engine would overwrite (see `hostTool`). */
export function hasToolArgument(tool: CatalogueTool): boolean {
  const { properties } = tool.inputSchema;
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, 'tool');
}
