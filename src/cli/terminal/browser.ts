import { spawn } from 'node:child_process';

/** Starts the browser, without a shell: what a server names must never become a command. */
export async function openPage(url: string): Promise<boolean> {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const browser = spawn(command, [...args, new URL(url).href], { stdio: 'ignore', detached: true }); // each has one
  browser.unref();
  return new Promise((resolve) => {
    browser.once('spawn', () => resolve(true));
    browser.once('error', () => resolve(false));
  });
}
