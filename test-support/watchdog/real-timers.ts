import { afterEach, vi } from 'vitest';

/** Files share a process: no test leaves its timers to the next one. */
afterEach(() => void vi.useRealTimers());
