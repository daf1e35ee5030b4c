import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { providersPage, renderProvidersPage } from '../../test-support/providers-page.js';

test('docs/providers.md is up to date with the table of rules (npm run docs:providers)', () => {
  expect(readFileSync(providersPage, 'utf8')).toBe(renderProvidersPage());
});
