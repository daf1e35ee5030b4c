import { modelTools, toolTokens } from '../../internal.js';
import type { Catalogue } from '../../internal.js';
import type { ListGiven } from '../usage/list.js';
import { printReport } from '../terminal/json.js';
import type { Terminal } from '../terminal/terminal.js';

/** What it takes to tell a model of each tool, the dearest first, and of all: in tokens, which are characters / 4. */
export function renderTokens(
  { tools }: Catalogue,
  server: string | undefined,
  { json }: Pick<ListGiven, 'json'>,
  terminal: Terminal,
): void {
  const told = modelTools(tools);
  const each = told
    .map((tool) => ({ name: tool.tool.name, tokens: toolTokens([tool]) }))
    .sort((one, other) => other.tokens - one.tokens);
  const total = toolTokens(told);
  if (json) {
    printReport({ ...(server !== undefined && { server }), tokens: total, tools: each }, terminal);
    return;
  }
  const first = server === undefined ? [] : [server];
  // Figures of one width in a terminal, fields between tabs in a pipe.
  const tell = (tokens: number, name: string) => {
    if (terminal.columns === undefined) terminal.row([...first, String(tokens), name]);
    else terminal.row([...first, `${String(tokens).padStart(8)}  ${name}`]);
  };
  for (const { name, tokens } of each) tell(tokens, name);
  tell(total, `all ${tools.length} tools`);
}
