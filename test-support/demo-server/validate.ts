import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { WireTool } from './tools.js';

/**
 * The server's own, strict check of arguments, which repairs nothing. It uses another validator than the client, so
 * that the two confirm each other.
 *
 * @returns undefined if the arguments are valid, otherwise one line per violation
 */
export function violations(tool: WireTool, args: unknown): string | undefined {
  const validate = validator(tool);
  if (validate(args)) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`).join('\n');
}

function validator(tool: WireTool): ValidateFunction {
  const known = compiled.get(tool);
  if (known !== undefined) return known;
  const draft07 = String(tool.inputSchema['$schema']).includes('draft-07');
  const ajv = draft07 ? new Ajv(options) : new Ajv2020(options);
  addFormats(ajv);
  const validate = ajv.compile(tool.inputSchema);
  compiled.set(tool, validate);
  return validate;
}

const compiled = new Map<WireTool, ValidateFunction>();

const options = {
  strict: false,
  allErrors: true,
  formats: { uint: { type: 'number' as const, validate: (value: number) => Number.isInteger(value) && value >= 0 } },
};
