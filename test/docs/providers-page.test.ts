import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { providersPage, renderProvidersPage } from '../../test-support/providers-page.js';

test('docs/providers.md is what the table of rules says; npm run docs:providers writes it anew', () => {
  expect(readFileSync(providersPage, 'utf8')).toBe(renderProvidersPage());
});
