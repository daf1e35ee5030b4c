import type { Command } from '../arguments.js';
import { exitCodes } from '../exit.js';
import type { Context } from '../run.js';

export async function check(_command: Command, _context: Context): Promise<number> {
  return exitCodes.success;
}
