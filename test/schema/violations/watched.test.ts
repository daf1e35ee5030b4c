import { expect, test } from 'vitest';
import { compileSchema, evaluate, violationLines, withReceived } from '../../../src/schema/index.js';
import { takeWatched } from '../../../test-support/refusals/watched.js';

const limited = compileSchema({ type: 'integer', minimum: 1, maximum: 5 });
const listed = compileSchema({ enum: ['a', 7] });

/** Describes the violations of one value as if another had been sent. */
function sayOf(compiled: typeof limited, refused: unknown, said: unknown): void {
  const evaluation = evaluate(compiled, refused);
  const violations = evaluation.outcome === 'invalid' ? evaluation.violations : [];
  violationLines(violations.map((violation) => withReceived(violation, said)));
}

test.each([
  ['an integer that must be an integer', limited, 'x', 3],
  ['a listed value that must be one of those listed', listed, 'b', 7],
  ['a number that is within the bound', limited, 9, 4],
])('A line that contradicts the value is found: %s', (_, compiled, refused, said) => {
  sayOf(compiled, refused, said);
  expect(takeWatched()).toMatchObject({ violations: 1, untrue: [expect.stringContaining(JSON.stringify(said))] });
});

test('A true line about the value passes the watched check', () => {
  sayOf(limited, 'x', 'x');
  sayOf(limited, 9, 9);
  sayOf(listed, 'b', 'b');
  expect(takeWatched()).toEqual({ violations: 3, untrue: [] });
});
