import { openAgentTools, reservedNames, type AgentTool } from '../internal.js';
import type { AgentToolsOptions, OpenTools, ToolsSource } from '../internal.js';

/**
 * The tools by name, updated in place, with the members of {@link OpenTools}.
 *
 * @param toTool makes a framework's own tool
 */
export async function toolRecord<Tool>(
  source: ToolsSource,
  options: AgentToolsOptions,
  toTool: (tool: AgentTool) => Tool,
): Promise<Record<string, Tool> & OpenTools> {
  const record: Record<string, Tool> = {};
  const renewed = (tools: readonly AgentTool[]) => {
    for (const name of Object.keys(record)) Reflect.deleteProperty(record, name);
    for (const tool of tools) record[tool.name] = toTool(tool);
  };
  const beside = await openAgentTools('mcpTools', source, options, renewed, reservedNames);
  return Object.defineProperties(record, beside) as Record<string, Tool> & OpenTools; // it has just been given the rest
}
