import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { comparePins, invisibleIn, pinTools } from '../../internal.js';
import type { Catalogue, Pins } from '../../internal.js';
import { counted } from '../../json/index.js';
import type { DiffGiven, PinGiven } from '../usage/pin.js';
import { usualPins } from '../usage/server.js';
import { differenceLines, pinnedName, pinsFor, readPinsAt, writePinsAt } from '../check/pins.js';
import type { Context } from '../context.js';
import { exitCodes } from '../exit.js';
import { eachServer } from '../servers/sessions.js';
import { printReport } from '../terminal/json.js';

/** Approves what servers offer now: writes it to a file, in which other servers stay as they are. */
export async function pin(given: PinGiven, context: Context): Promise<number> {
  const { terminal, cwd, signal } = context;
  const path = resolve(cwd, given.file ?? usualPins);
  const servers = new Map<string, Pins>(existsSync(path) ? Object.entries(readPinsAt(path).servers) : []);
  const lines: string[] = [];
  const code = await eachServer(given, context, async (server, session) => {
    const catalogue = await session.listTools({ signal });
    const name = pinnedName(server);
    const before = servers.get(name);
    const differences = before ? comparePins(before, catalogue, server.address) : [];
    servers.set(name, pinTools(catalogue, server.address));
    lines.push(`${terminal.paint.bold(name)} ${counted(catalogue.tools.length, 'tool')} pinned`);
    lines.push(...[...differences.flatMap(differenceLines), ...unseen(catalogue)].map((line) => `  ${line}`));
    return exitCodes.success;
  });
  if (lines.length === 0) return code;
  writePinsAt(path, Object.fromEntries(servers));
  for (const line of lines) terminal.line(line);
  terminal.note(`${path} is written.`);
  return code;
}

/** What whoever approves does not see. */
function unseen({ instructions = '', serverInfo = {}, tools }: Catalogue): string[] {
  return [
    ...invisibleIn({ instructions, serverInfo }).map(({ message }) => message),
    ...tools.flatMap(({ name, definition }) => invisibleIn(definition).map(({ message }) => `${name}: ${message}`)),
  ];
}

/** What servers offer differently from what was approved; exit code 1 where there is anything. */
export function diff(given: DiffGiven, context: Context): Promise<number> {
  const { terminal, cwd, signal } = context;
  const path = resolve(cwd, given.file ?? usualPins);
  const file = readPinsAt(path);
  return eachServer(given, context, async (server, session) => {
    const pins = pinsFor(file, path, server);
    const differences = comparePins(pins, await session.listTools({ signal }), server.address);
    if (given.json) printReport({ server: pinnedName(server), differences }, terminal);
    else {
      const count = differences.length === 0 ? 'as approved' : counted(differences.length, 'difference');
      terminal.line(`${terminal.paint.bold(pinnedName(server))} ${count}`);
      for (const line of differences.flatMap(differenceLines)) terminal.line(`  ${line}`);
    }
    return differences.length === 0 ? exitCodes.success : exitCodes.problem;
  });
}
