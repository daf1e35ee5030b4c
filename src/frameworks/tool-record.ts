import { openAgentTools, reservedNames, type AgentTool } from '../internal.js';
import type { AgentToolsOptions, OpenTools, ToolsSource } from '../internal.js';

/** Tools by name, with the members of {@link OpenTools}. */
export type ToolRecord<Tool> = Record<string, Tool> & Beside;

/** Declared as a class's members, so that the compiler knows that a copy, `{ ...tools, own }`, has the tools alone. */
declare abstract class Beside implements OpenTools {
  get report(): OpenTools['report'];
  get instructions(): OpenTools['instructions'];
  get session(): OpenTools['session'];
  get refresh(): OpenTools['refresh'];
  get close(): OpenTools['close'];
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The tools by name, updated in place.
 *
 * @param toTool makes a framework's own tool
 */
export async function toolRecord<Tool>(
  source: ToolsSource,
  options: AgentToolsOptions,
  toTool: (tool: AgentTool) => Tool,
): Promise<ToolRecord<Tool>> {
  const record: Record<string, Tool> = {};
  const renewed = (tools: readonly AgentTool[]) => {
    for (const name of Object.keys(record)) Reflect.deleteProperty(record, name);
    for (const tool of tools) record[tool.name] = toTool(tool);
  };
  const beside = await openAgentTools('mcpTools', source, options, renewed, reservedNames);
  return Object.defineProperties(record, beside) as unknown as ToolRecord<Tool>; // it has just been given the rest
}
