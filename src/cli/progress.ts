import { oneLine } from './terminal/printable.js';
import type { Terminal } from './terminal/terminal.js';
import { cut } from './terminal/width.js';

/** "[███████░░░] 70 % message", or a bare count where the server does not say how much there is. */
export function progressLine(
  { progress, total, message }: { progress: number; total?: number; message?: string },
  { paint, columns = 80 }: Terminal,
): string {
  const text = message === undefined ? '' : ` ${oneLine(message)}`;
  if (total === undefined || total <= 0) return cut(`${progress}${text}`, columns - 1);
  const share = Math.min(1, Math.max(0, progress / total));
  const filled = Math.round(share * barWidth);
  const percent = `${Math.round(share * 100)} %`.padStart(5);
  return `${paint.cyan('█'.repeat(filled))}${paint.dim('░'.repeat(barWidth - filled))} ${cut(`${percent}${text}`, columns - barWidth - 2)}`;
}

const barWidth = 24;
