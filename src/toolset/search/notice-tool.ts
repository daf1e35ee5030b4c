import { ConfigurationError, shortened } from '../../json/index.js';
import { readCatalogue } from '../../mcp/index.js';
import { modelTools, type ModelTool, type ModelToolsOptions } from '../../tool/index.js';

export interface NoticeTool extends ModelTool {
  readonly text: string;
}

/** Characters of a description that every provider takes (OpenAI's limit is 1,024). */
const longestDescription = 1_000;

/**
 * A text about a server as the description of a tool, for hosts that give a model nothing but tools. A longer text is
 * read by calling it.
 */
export function noticeTool(name: string, text: string, naming: ModelToolsOptions): NoticeTool {
  const [tool] = modelTools(readCatalogue([{ name, inputSchema: { type: 'object', properties: {} } }]).tools, naming);
  if (!tool) throw new ConfigurationError(`"${name}" is no name of a tool.`);
  const rest = ' … Call this tool to read all of it.';
  const isLong = text.length > longestDescription;
  const description = isLong ? shortened(text, longestDescription - rest.length) + rest : text;
  return { ...tool, description, text };
}
