import { type Schema, Validator } from '@cfworker/json-schema';
import type { Dialect } from '../../src/schema/index.js';
import { ajvFor, withoutDialect } from './ajv.js';

/** An independent validator's verdict; undefined if it has none. */
type Oracle = (instance: unknown) => boolean | undefined;

const ajvs = new Map<Dialect, ReturnType<typeof ajvFor>>();

export function ajvOracle(schema: unknown, dialect: Dialect): Oracle {
  const ajv = ajvs.get(dialect) ?? ajvFor(dialect);
  ajvs.set(dialect, ajv);
  let validate: ((instance: unknown) => unknown) | undefined;
  try {
    validate = ajv.compile(withoutDialect(schema));
  } catch {
    return () => undefined;
  } finally {
    ajv.removeSchema(); // The next schema may have the same names.
  }
  return (instance) => {
    try {
      return validate(instance) === true;
    } catch {
      return undefined;
    }
  };
}

const cfworkerNames = {
  'draft-04': '4',
  'draft-06': '7',
  'draft-07': '7',
  '2019-09': '2019-09',
  '2020-12': '2020-12',
} as const;

export function cfworkerOracle(schema: unknown, dialect: Dialect): Oracle {
  try {
    // The validator accepts any JSON value and reports invalid schemas itself.
    const validator = new Validator(withoutFormats(schema) as Schema, cfworkerNames[dialect]);
    return (instance) => {
      try {
        return validator.validate(instance).valid;
      } catch {
        return undefined;
      }
    };
  } catch {
    return () => undefined;
  }
}

/** cfworker always asserts formats, so a copy without them makes the oracles comparable. */
function withoutFormats(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'format' && typeof value === 'string' ? undefined : value,
  );
}
