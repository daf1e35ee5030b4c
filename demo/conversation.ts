import type { ReceivedCall } from '../test-support/demo-server/server.js';
import { foldJson } from './terminal/json.js';
import { columns, columnWidth, comparison, fit } from './terminal/side-by-side.js';
import { bold, dim, green, pageWidth, red } from './terminal/style.js';

/** One way from the server to the model and back, as it was observed. */
export interface Observed {
  /** The client between server and model. */
  name: string;
  /** The schema text that the model was sent, by the server's name of the tool. */
  schemas: Map<string, string>;
  rounds: Round[];
}

/** One call of the model and its outcome. */
interface Round {
  /** The arguments as the model wrote them. */
  sent: Record<string, unknown>;
  /** The call that the server received, unless it never arrived. */
  received: ReceivedCall | undefined;
  /** The answer to the model. */
  answer: string;
}

/**
 * Prints a conversation over two ways beside each other.
 *
 * @param wire the schema text of each tool as the server wrote it
 * @param shown the tool whose schema is shown in full
 */
export function printConversation(wire: Map<string, string>, shown: string, left: Observed, right: Observed): void {
  heading(`The schema that the model is sent: ${shown}`);
  print(columns(bold(left.name), bold(right.name)));
  print(columns(verdict(wire, left, shown), verdict(wire, right, shown)));
  print(columns(dim('─'.repeat(columnWidth)), dim('─'.repeat(columnWidth))));
  print(comparison(folded(left, shown), folded(right, shown)));

  heading('Every tool of the server');
  for (const tool of wire.keys()) {
    print(columns(`${tool}: ${verdict(wire, left, tool)}`, `${tool}: ${verdict(wire, right, tool)}`));
  }

  for (let round = 0; round < Math.max(left.rounds.length, right.rounds.length); round += 1) {
    heading(round === 0 ? 'The model calls the tool' : 'The model tries again');
    const [a, b] = [left.rounds[round], right.rounds[round]];
    print(columns(bold(left.name), bold(right.name)));
    for (const part of ['it sends', 'the server receives', 'the server says', 'the model reads'] as const) {
      print(['', ...columns(dim(part), dim(part)), ...columns(describe(a, part), describe(b, part))]);
    }
  }
}

function verdict(wire: Map<string, string>, way: Observed, tool: string): string {
  const sent = way.schemas.get(tool);
  if (sent === undefined) return red('✗ not sent');
  const source = wire.get(tool) ?? '';
  return sent === source
    ? green(`✓ the server's ${source.length} characters`)
    : red(`✗ changed (${source.length} → ${sent.length} characters)`);
}

function folded(way: Observed, tool: string): string[] {
  return foldJson(JSON.parse(way.schemas.get(tool) ?? 'null'), columnWidth);
}

function describe(
  round: Round | undefined,
  part: 'it sends' | 'the server receives' | 'the server says' | 'the model reads',
) {
  if (round === undefined) return part === 'it sends' ? dim('(no need: the first call succeeded)') : '';
  switch (part) {
    case 'it sends':
      return json(round.sent);
    case 'the server receives':
      return round.received === undefined ? red('nothing') : json(round.received.arguments);
    case 'the server says':
      if (round.received === undefined) return '';
      return round.received.violations === undefined ? green('✓ valid') : red(`✗ ${round.received.violations}`);
    case 'the model reads':
      return round.answer === '' ? red('(an empty text)') : round.answer;
  }
}

function json(value: unknown): string {
  return foldJson(value, columnWidth).map(fit).join('\n');
}

function heading(text: string): void {
  console.log(`\n${bold(`── ${text} `)}${dim('─'.repeat(Math.max(0, pageWidth - text.length - 4)))}\n`);
}

function print(lines: string[]): void {
  for (const line of lines) console.log(line);
}
