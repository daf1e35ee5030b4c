import { expect } from 'vitest';
import { disagreements } from '../../../../test-support/schemas/same-meaning.js';
import type { Offer } from '../../../../test-support/n8n/offers.js';
import type { Deviation } from './deviations.js';
import type { WireTool } from './tool-server.js';

/** Checks the text of every schema at the model: the wire's own, or the provider's known change. */
export function expectSchemas(told: Offer[], wire: WireTool[], deviation?: Deviation): void {
  const expected = wire.flatMap((tool) => {
    const schema = deviation ? deviation.told(tool) : tool.inputSchema;
    return schema === undefined ? [] : [{ name: tool.name, schema: JSON.stringify(schema) }];
  });
  expect(deviation?.indented ? told.map(compact) : told).toEqual(expected);
}

/** The schema's JSON without whitespace; the order of the members is kept. */
function compact({ name, schema }: Offer): Offer {
  return { name, schema: JSON.stringify(JSON.parse(schema)) };
}

/**
 * Checks schemas of nodes that know only Zod: with the conditions in their descriptions, they accept and reject the
 * same arguments as the wire's own.
 */
export function expectMeaning(told: Offer[], wire: WireTool[]): void {
  expect(told.map(({ name }) => name)).toEqual(wire.map(({ name }) => name));
  const differing = wire.flatMap(({ name, inputSchema }, index) => {
    const instances = disagreements(inputSchema, JSON.parse(told[index]!.schema) as object);
    return instances.map((instance) => `${name}: ${JSON.stringify(instance)}`);
  });
  expect(differing).toEqual([]);
}
