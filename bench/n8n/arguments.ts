import { cases } from '../cases.js';
import type { Case } from '../cases.js';
import { CannotMeasureError } from '../control.js';
import { converse } from './conversation.js';
import type { Conversation } from './conversation.js';
import { startServer } from './server.js';
import type { WireTool } from './server.js';
import type { Stage } from './stage.js';
import { wayNames, waysTo } from './ways.js';

/**
 * The outcome of a call's arguments: `right` as they had to arrive; `as sent` with the slip in them; `told`: no call,
 * and the model's answer names the argument; `lost`: no call, and the answer does not; `failed`: the agent did not
 * reach the model.
 */
export type Fate = 'right' | 'as sent' | 'changed' | 'told' | 'lost' | 'failed';

export type Column = (typeof wayNames)[number];

export interface ArgumentsRow {
  name: string;
  /** True if the model made a mistake; otherwise the arguments have to arrive unchanged. */
  slip: boolean;
  fates: Record<Column, Fate>;
  /** The JSON text that arrived, if it was changed. */
  arrived: Partial<Record<Column, string>>;
}

const nulls: Case[] = [
  {
    name: 'null for an optional integer',
    schema: { type: 'object', properties: { q: { type: 'string' }, limit: { type: 'integer' } }, required: ['q'] },
    args: { q: 'a', limit: null },
    arrives: { q: 'a' },
  },
  {
    name: 'null for an optional string',
    schema: { type: 'object', properties: { q: { type: 'string' }, after: { type: 'string' } }, required: ['q'] },
    args: { q: 'a', after: null },
    arrives: { q: 'a' },
  },
];

/** Single calls whose arguments have to reach the server, as they are or put right; each with a tool of its own. */
export async function argumentsRows(stage: Stage): Promise<ArgumentsRow[]> {
  const asked = [...cases, ...nulls].filter(({ arrives }) => arrives !== undefined);
  const tools: WireTool[] = asked.map(({ name, schema }, index) => ({
    name: `case_${index}`,
    description: name,
    inputSchema: schema,
  }));
  await using server = await startServer(tools);
  const ways = await waysTo(server, stage);
  const rows: ArgumentsRow[] = [];
  for (const [index, { name, args, arrives }] of asked.entries()) {
    const tool = tools[index]!;
    const only = tool.name;
    const row: Pick<ArgumentsRow, 'arrived'> & { fates: Partial<ArgumentsRow['fates']> } = { fates: {}, arrived: {} };
    for (const column of wayNames) {
      const held = await converse(stage, server, ways[column]({ only }), { tool, args: [args] });
      const fate = fateOf(held, args, arrives);
      row.fates[column] = fate;
      if (fate === 'changed') row.arrived[column] = JSON.stringify(held.calls[0]);
    }
    const fates = row.fates as ArgumentsRow['fates']; // each column had its turn
    rows.push({ name, slip: JSON.stringify(args) !== JSON.stringify(arrives), ...row, fates });
  }
  for (const column of wayNames)
    if (rows.every(({ fates }) => fates[column] !== 'right')) throw new CannotMeasureError(column, 'no call arrived');
  return rows;
}

function fateOf({ calls, told, answers }: Conversation, args: Case['args'], arrives: unknown): Fate {
  const [arrived] = calls.map((each) => JSON.stringify(each));
  if (told === undefined) return 'failed';
  if (arrived === undefined)
    return Object.keys(args).some((key) => (answers[0] ?? '').includes(`/${key}:`)) ? 'told' : 'lost';
  if (arrived === JSON.stringify(arrives)) return 'right';
  return arrived === JSON.stringify(args) ? 'as sent' : 'changed';
}
