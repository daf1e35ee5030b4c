import { test } from 'vitest';

test('hangs', () => {
  for (;;);
});
