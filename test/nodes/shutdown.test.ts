import { expect, test } from 'vitest';
import { hearOfShutdown, isShuttingDown } from '../../nodes/connection/shutdown.js';

test('n8n is listened to once, and only beside its own listeners', () => {
  const before = process.listenerCount('SIGTERM');
  const own = () => {};
  process.on('SIGTERM', own);
  try {
    hearOfShutdown();
    hearOfShutdown();
    expect(process.listenerCount('SIGTERM')).toBe(before + 2);
    expect(isShuttingDown()).toBe(false);
  } finally {
    process.off('SIGTERM', own);
  }
});
