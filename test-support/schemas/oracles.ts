import { type Schema, Validator } from '@cfworker/json-schema';
import { Ajv as Ajv07, type AnySchema, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Dialect } from '../../src/schema/index.js';

/** An independent validator's verdict; undefined where it cannot tell. */
type Oracle = (instance: unknown) => boolean | undefined;

const options: Options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  allErrors: false,
};

/** Ajv as it must be set up to follow a dialect: leniently, without formats. */
export function ajvFor(dialect: Dialect): Pick<Ajv07, 'compile'> {
  switch (dialect) {
    case '2020-12':
      return new Ajv2020(options);
    case '2019-09':
      return new Ajv2019(options);
    default:
      return new Ajv07(options);
  }
}

export function ajvOracle(schema: unknown, dialect: Dialect): Oracle {
  let validate: ((instance: unknown) => unknown) | undefined;
  try {
    validate = ajvFor(dialect).compile(withoutDialect(schema));
  } catch {
    return () => undefined;
  }
  return (instance) => {
    try {
      return validate(instance) === true;
    } catch {
      return undefined;
    }
  };
}

/** A copy without `$schema`: the instance already follows that dialect, but knows only one spelling of its name. */
export function withoutDialect(schema: unknown): AnySchema {
  const copy = { ...(schema as Record<string, unknown>) };
  delete copy['$schema'];
  return typeof schema === 'boolean' ? schema : copy;
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
    // It takes any JSON value and finds out for itself.
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

/** cfworker asserts formats and has no switch for it; a copy without them makes the oracles comparable. */
function withoutFormats(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'format' && typeof value === 'string' ? undefined : value,
  );
}
