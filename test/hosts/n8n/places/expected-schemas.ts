import { expect } from 'vitest';
import { disagreements } from '../../../nodes/same-meaning.js';
import type { Offer } from '../../../../test-support/n8n/offers.js';
import type { Deviation } from './deviations.js';
import type { WireTool } from './tool-server.js';

/** Checks the text of every schema at the model: the wire's own, or to the letter what the provider makes of it. */
export function expectSchemas(told: Offer[], wire: WireTool[], deviation?: Deviation): void {
  const expected = wire.flatMap((tool) => {
    const schema = deviation ? deviation.told(tool) : tool.inputSchema;
    return schema === undefined ? [] : [{ name: tool.name, schema: JSON.stringify(schema) }];
  });
  expect(deviation?.indented ? told.map(compact) : told).toEqual(expected);
}

/** Without what JSON does not mean; the order of the members is kept. */
function compact({ name, schema }: Offer): Offer {
  return { name, schema: JSON.stringify(JSON.parse(schema)) };
}

/**
 * Checks schemas that nodes tell which know only Zod: they accept and refuse the same arguments as the wire's own, what
 * their descriptions say in words included.
 */
export function expectMeaning(told: Offer[], wire: WireTool[]): void {
  expect(told.map(({ name }) => name)).toEqual(wire.map(({ name }) => name));
  const differing = wire.flatMap(({ name, inputSchema }, index) => {
    const instances = disagreements(inputSchema, JSON.parse(told[index]!.schema) as object);
    return instances.map((instance) => `${name}: ${JSON.stringify(instance)}`);
  });
  expect(differing).toEqual([]);
}
