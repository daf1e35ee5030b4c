import { checkArguments, InvalidArgumentsError, type ToolOptions } from '../../src/tool/index.js';

/** The refusal of these arguments. */
export function refusal(
  tool: Parameters<typeof checkArguments>[0],
  args: unknown,
  options?: ToolOptions,
): InvalidArgumentsError {
  try {
    checkArguments(tool, args, options);
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return error;
    throw error;
  }
  throw new Error('The arguments were accepted.');
}
