import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigurationError } from '../../../src/json/index.js';
import { connect, type ServerAddress } from '../../../src/mcp/index.js';
import { failureOf } from '../calling.js';

/** JSON that a user writes may have other types. */
const addresses = JSON.parse(readFileSync(new URL('./addresses.json', import.meta.url), 'utf8')) as Wrong[];
type Wrong = [what: string, address: ServerAddress, message: string];

test.each(addresses)(
  'An address with %s gives an error that says so without the value',
  async (_, address, message) => {
    const error = await failureOf(connect({ ...{ 'without-a-value': undefined }, ...address }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code: 'INVALID_CONFIGURATION', message });
    expect(error.message).not.toContain('secret');
  },
);
