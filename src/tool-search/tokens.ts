import { jsonText } from '../json/index.js';
import type { ModelTool } from '../tool/index.js';

/**
 * About how many tokens it takes to tell a model of these tools: characters of their names, descriptions and schemas,
 * divided by four. Tokenizers differ, and schemas take more of some; the order of magnitude is what matters.
 */
export function toolTokens(tools: readonly Pick<ModelTool, 'name' | 'description' | 'schema'>[]): number {
  return Math.ceil(tools.reduce((sum, tool) => sum + toldCharacters(tool), 0) / 4);
}

function toldCharacters({ name, description, schema }: Pick<ModelTool, 'name' | 'description' | 'schema'>): number {
  const known = lengths.get(schema) ?? jsonText(schema).length;
  lengths.set(schema, known);
  return name.length + description.length + known;
}

/** Agents ask for the tools in every iteration, and a schema may be long. */
const lengths = new WeakMap<object, number>();
