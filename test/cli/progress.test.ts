import { describe, expect, test } from 'vitest';
import { progressLine } from '../../src/cli/commands/call.js';
import type { Terminal } from '../../src/cli/terminal/terminal.js';

const plain = (text: string) => text;
/** A terminal without colours. The cast: the line looks at nothing else of a terminal. */
const terminal = (columns: number) => ({ columns, paint: { cyan: plain, dim: plain } }) as unknown as Terminal;

describe('the progress of a call', () => {
  test.each([
    ['nothing yet', { progress: 0, total: 4 }, `${'░'.repeat(24)}   0 %`],
    ['a quarter', { progress: 1, total: 4, message: 'reading' }, `${'█'.repeat(6)}${'░'.repeat(18)}  25 % reading`],
    ['all', { progress: 4, total: 4 }, `${'█'.repeat(24)} 100 %`],
    ['more than all', { progress: 9, total: 4 }, `${'█'.repeat(24)} 100 %`],
    ['an unknown total', { progress: 3, message: 'pages' }, '3 pages'],
    ['a total of nothing', { progress: 3, total: 0 }, '3'],
  ])('%s', (_, report, line) => {
    expect(progressLine(report, terminal(80))).toBe(line);
  });

  test('stays on one line of the terminal, whatever the server says', () => {
    const line = progressLine({ progress: 1, total: 2, message: `a\nb ${'long '.repeat(40)}` }, terminal(60));
    expect(line).toMatch(/^█{12}░{12} {2}50 % a b long long .*…$/);
    expect(line.length).toBe(59);
  });
});
