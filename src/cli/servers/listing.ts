import type { Session } from '../../internal.js';
import { printTable, type Row } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { NamedServer } from './choose.js';
import { headline } from './sessions.js';

export interface Listed extends Row {
  readonly fields: readonly string[];
}

/** @param firstColumn how wide it gets at most, as a share of the terminal */
export function printListing(
  tables: readonly (readonly Listed[])[],
  counts: readonly string[],
  { server, session, several }: { server: NamedServer; session: Session; several: boolean },
  terminal: Terminal,
  firstColumn = 0.35,
): void {
  if (terminal.columns === undefined) {
    for (const { fields } of tables.flat()) terminal.row([...(several ? [server.name ?? ''] : []), ...fields]);
    return;
  }
  terminal.line(headline(server, session, counts, terminal));
  for (const rows of tables) {
    if (rows.length === 0) continue;
    terminal.line();
    printTable(rows, [{ atMost: firstColumn, paint: terminal.paint.cyan }], terminal);
  }
}
