import type * as face from '../src/index.js';

/**
 * The library, loaded when a node runs for the first time: n8n loads the description of every node when it starts,
 * and that must cost next to nothing.
 */
export async function library(): Promise<typeof face> {
  return await import('../src/index.js');
}
