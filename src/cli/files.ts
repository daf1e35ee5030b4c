import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../json/index.js';
import { UsageError } from './exit.js';

export function fileError(path: string, how: 'read' | 'written', error: unknown): UsageError {
  return new UsageError(`${path} cannot be ${how}: ${messageOf(error)}`);
}

/** @throws UsageError where it cannot be read, or is larger than so many MB */
export function readText(path: string, mostMb = Infinity): string {
  let text: string | undefined;
  try {
    if (statSync(path).size <= mostMb * 1024 * 1024) text = readFileSync(path, 'utf8');
  } catch (error) {
    throw fileError(path, 'read', error);
  }
  if (text === undefined) throw new UsageError(`${path} is larger than ${mostMb} MB.`);
  return text;
}
