import { afterEach, vi } from 'vitest';

/** Files share a process, so no test leaves fake timers to the next one. */
afterEach(() => void vi.useRealTimers());
