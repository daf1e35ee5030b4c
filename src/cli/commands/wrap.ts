import type { Command } from '../arguments.js';
import type { Context } from '../context.js';
import { exitCodes } from '../exit.js';

export function wrap(_command: Command, _context: Context): Promise<number> {
  return Promise.resolve(exitCodes.success);
}
