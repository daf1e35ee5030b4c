import { defineKeyword } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.2.1 */
export const multipleOf = defineKeyword<number>({
  name: 'multipleOf',
  compile: (value, at) => (typeof value === 'number' && value > 0 ? value : at.malformed('a number greater than 0')),
  evaluate: ({ value }, instance) => (typeof instance !== 'number' || isMultipleOf(instance, value) ? VALID : INVALID),
  expected: ({ value }) => ({ kind: 'multiple', of: value }),
});

/** In decimal arithmetic, as JSON writes numbers: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value) || !Number.isFinite(divisor)) return false;
  const dividend = decimalOf(value);
  const unit = decimalOf(divisor);
  const exponent = Math.min(dividend.exponent, unit.exponent);
  return scaled(dividend, exponent) % scaled(unit, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The shortest decimal that means this number; at most 17 digits and an exponent of three. */
function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
