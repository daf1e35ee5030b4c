import { member } from '../../json/index.js';
import { defineKeyword, INVALID, type Keyword, VALID } from './keyword.js';

interface Bound {
  readonly limit: number;
  readonly strict: boolean;
}

/** validation, 6.2.2 to 6.2.5 */
export const minimum = boundKeyword('minimum', '>', 'exclusiveMinimum');
export const maximum = boundKeyword('maximum', '<', 'exclusiveMaximum');
export const exclusiveMinimum = boundKeyword('exclusiveMinimum', '>', 'minimum', true);
export const exclusiveMaximum = boundKeyword('exclusiveMaximum', '<', 'maximum', true);

function boundKeyword(name: string, sign: '>' | '<', companion: string, isExclusive = false): Keyword {
  return defineKeyword<Bound>(name, {
    compile(value, at) {
      // `exclusiveMinimum: true` beside it (draft-04) makes a bound strict in every dialect.
      if (typeof value === 'number')
        return { limit: value, strict: isExclusive || member(at.schema, companion) === true };
      if (!isExclusive || typeof value !== 'boolean') return at.malformed('a number');
      const message = `A boolean "${name}" is the draft-04 form; it is applied to "${companion}".`;
      if (at.node.resource.dialect.name !== 'draft-04') at.report('legacy-keyword', message);
      return undefined;
    },
    evaluate({ value: { limit, strict } }, instance) {
      if (typeof instance !== 'number' || (!strict && instance === limit)) return VALID;
      return (sign === '>' ? instance > limit : instance < limit) ? VALID : INVALID;
    },
    expected: ({ value: { limit, strict } }) => ({ kind: 'bound', sign: strict ? sign : `${sign}=`, limit }),
  });
}

/** validation, 6.2.1 */
export const multipleOf = defineKeyword<number>('multipleOf', {
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
