import { jsonText } from '../json/index.js';
import type { ModelTool } from '../tool/index.js';

/**
 * About how many tokens a model reads for these tools: characters of their names, descriptions and schemas, divided by
 * four. Tokenizers differ, and schemas take more of some; the order of magnitude is what matters.
 */
export function toolTokens(tools: readonly Pick<ModelTool, 'name' | 'description' | 'schema'>[]): number {
  const lengths = tools.map(
    ({ name, description, schema }) => name.length + description.length + jsonText(schema).length,
  );
  return Math.ceil(lengths.reduce((sum, length) => sum + length, 0) / 4);
}
