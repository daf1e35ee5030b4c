import { readFileSync } from 'node:fs';
import { messageOf } from '../json/index.js';
import { UsageError } from './exit.js';

/** For a file that cannot be used, with the system's own reason. */
export function fileError(path: string, how: 'read' | 'written', error: unknown): UsageError {
  return new UsageError(`${path} cannot be ${how}: ${messageOf(error)}`);
}

/** @throws UsageError where it cannot be read */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fileError(path, 'read', error);
  }
}
