import { Ajv as Ajv07, type AnySchema, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Dialect } from '../../src/schema/index.js';

const options: Options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  allErrors: false,
};

/** Ajv with the settings that follow a dialect: lenient, without formats. */
export function ajvFor(dialect: Dialect): Pick<Ajv07, 'compile' | 'removeSchema'> {
  switch (dialect) {
    case '2020-12':
      return new Ajv2020(options);
    case '2019-09':
      return new Ajv2019(options);
    default:
      return new Ajv07(options);
  }
}

/** A copy without `$schema`: the instance follows that dialect, but knows only one spelling of its name. */
export function withoutDialect(schema: unknown): AnySchema {
  const copy = { ...(schema as Record<string, unknown>) };
  delete copy['$schema'];
  return typeof schema === 'boolean' ? schema : copy;
}
