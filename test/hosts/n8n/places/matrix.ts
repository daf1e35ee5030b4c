import { expect } from 'vitest';
import { disagreements } from '../../../nodes/same-meaning.js';
import type { Offer } from '../../../../test-support/n8n/offers.js';
import type { Deviation } from './deviations.js';
import type { WireTool } from './tool-server.js';

/** What becomes of schemas and calls on each path through n8n: a table for the README. */
export interface Matrix {
  /** @param version rows that differ in it only become one */
  row(path: string, schema: string, call: string, version?: number): void;
  print(): void;
}

export function matrix(title: string): Matrix {
  const rows: { cells: string[]; versions: number[] }[] = [];
  return {
    row(path, schema, call, version) {
      const cells = [path, schema, call];
      const same = rows.find((row) => row.versions.length > 0 && row.cells.join('|') === cells.join('|'));
      if (same && version !== undefined) same.versions.push(version);
      else rows.push({ cells, versions: version === undefined ? [] : [version] });
    },
    print() {
      const body = rows.map(({ cells: [path, ...rest], versions }) => [
        [path, versions.join(', ')].join(' ').trim(),
        ...rest,
      ]);
      const lines = [[title, 'Schema at the model', 'Call'], ['---', '---', '---'], ...body];
      process.stdout.write(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`);
    },
  };
}

/**
 * Checks the text of every schema at the model: the wire's own, or to the letter what the provider makes of it.
 *
 * @returns the cell for the table
 */
export function expectSchemas(told: Offer[], wire: WireTool[], deviation?: Deviation): string {
  const expected = wire.flatMap((tool) => {
    const schema = deviation ? deviation.told(tool) : tool.inputSchema;
    return schema === undefined ? [] : [{ name: tool.name, schema: JSON.stringify(schema) }];
  });
  expect(deviation?.indented ? told.map(compact) : told).toEqual(expected);
  return deviation?.what ?? 'byte-identical';
}

/** Without what JSON does not mean; the order of the members is kept. */
function compact({ name, schema }: Offer): Offer {
  return { name, schema: JSON.stringify(JSON.parse(schema)) };
}

/**
 * Checks schemas that nodes tell which know only Zod: they accept and refuse the same arguments as the wire's own, what
 * their descriptions say in words included.
 *
 * @returns the cell for the table
 */
export function expectMeaning(told: Offer[], wire: WireTool[]): string {
  expect(told.map(({ name }) => name)).toEqual(wire.map(({ name }) => name));
  const differing = wire.flatMap(({ name, inputSchema }, index) => {
    const instances = disagreements(inputSchema, JSON.parse(told[index]!.schema) as object);
    return instances.map((instance) => `${name}: ${JSON.stringify(instance)}`);
  });
  expect(differing).toEqual([]);
  return 'the same meaning, in Zod types; what they lack is quoted';
}
