import { dim, green } from './style.js';

interface Progress {
  /** Ends the step before and begins the next one. */
  (step: string): void;
  /** Ends the last step. */
  done(): void;
}

/** Tells a waiting person what happens and for how long: a running clock on a terminal, a line per step elsewhere. */
export function showProgress(): Progress {
  let running: { step: string; since: number; timer: NodeJS.Timeout } | undefined;

  const line = (mark: string, step: string, since: number) =>
    `${mark} ${step} ${dim(`${Math.round((Date.now() - since) / 1000)} s`)}`;

  const done = () => {
    if (running === undefined) return;
    clearInterval(running.timer);
    const ended = line(green('✓'), running.step, running.since);
    console.log(process.stdout.isTTY ? `\r\u001b[K${ended}` : ended);
    running = undefined;
  };

  const begin = (step: string) => {
    done();
    const since = Date.now();
    const tick = () => {
      if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line(dim('…'), step, since)}`);
      else if (Date.now() > since) console.log(line('…', step, since));
    };
    running = { step, since, timer: setInterval(tick, process.stdout.isTTY ? 1000 : 30_000).unref() };
    if (process.stdout.isTTY) tick();
  };

  return Object.assign(begin, { done });
}
