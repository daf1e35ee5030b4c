import { describe, expect, test } from 'vitest';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { countSlips } from '../../test-support/schemas/slips.js';
import { countStyles } from '../../test-support/schemas/styles.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';

const corpus = sharedFolder('corpus');

/** `npm run bench:slips` counts them over all tools. */
const every = 12;

describe.skipIf(corpus === undefined)(
  'every malformed value at every place of calls to every twelfth recorded tool',
  () => {
    test('is repaired to what was meant, or not at all', () => {
      const tools = corpusTools(corpus ?? '').filter((_, index) => index % every === 0);
      const { counts, others } = countSlips(tools.map(({ inputSchema }) => inputSchema));
      expect(others).toEqual([]);
      if (!corpusIsComplete()) return;
      for (const [kind, { meant }] of Object.entries(counts)) {
        // Whole numbers are what is synthesised, and no list of two of one value may be wanted.
        if (!['numbers', 'split', 'consts'].includes(kind)) expect(meant, kind).toBeGreaterThan(10);
      }
    });

    test('and whole calls in the styles of models are, two styles at once among them', () => {
      const tools = corpusTools(corpus ?? '').filter((_, index) => index % every === 0);
      const { counts, others } = countStyles(tools.map(({ inputSchema }) => inputSchema));
      expect(others).toEqual([]);
      for (const [style, { all }] of Object.entries(counts)) expect(all?.meant, style).toBeGreaterThan(0);
    });
  },
);
