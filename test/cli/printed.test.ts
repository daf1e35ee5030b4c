import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { first, second, stable } from '../../test-support/servers/two-servers.js';
import { cli } from './run.js';

interface Line {
  argv: string[];
  about?: Omit<NonNullable<Parameters<typeof cli>[1]>, 'answer'> & { answers?: string[] };
  /** Its exit code, what it prints, and what both servers get. */
  [printed: string]: unknown;
}

/** Files, and lines that are run beside them one after the other: all that they print, as its reviewers read it. */
const { files, groups } = JSON.parse(readFileSync(new URL('./printed.json', import.meta.url), 'utf8')) as {
  files: Record<string, object | string>;
  groups: { title: string; lines: Line[] }[];
};

const folder = temporaryFolder();
const servers: Record<string, HttpServer> = {};
beforeAll(async () => {
  servers['FIRST_URL'] = await startHttpServer(first());
  servers['SECOND_URL'] = await startHttpServer(second);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), filled(typeof content === 'string' ? content : JSON.stringify(content)));
  }
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});

const filled = (text: string) =>
  Object.entries(servers).reduce(
    (all, [name, { url }]) => all.replaceAll(name, url),
    text.replaceAll('PLACE_HERE', folder),
  );

function shown(text: string): string[] {
  const known = Object.entries(servers).reduce((all, [name, { url }]) => all.replaceAll(url, name), text);
  return stable(
    known
      .replaceAll(folder, 'FOLDER')
      .replaceAll(/^\d{4}-\S+Z /gm, 'TIME ')
      .split('\n'),
  );
}

/** Each request with the header of its entry, and its params but for what describes this client. */
function reached({ seen }: HttpServer): string[] {
  const requests = seen.splice(0).filter(({ verb }) => verb !== 'GET'); // a stream, which may be opened too late
  const texts = requests.map(({ verb, headers, message: { method, params: { _meta, ...params } = {} } }) => {
    return stable(
      `${method || verb} ${String(headers['x-key'])} ${JSON.stringify(params)}`.replaceAll(folder, 'FOLDER'),
    );
  });
  return texts.sort();
}

async function run({ argv, about: { answers, ...about } = {} }: Pick<Line, 'argv' | 'about'>) {
  const answer = answers && (() => answers.shift() ?? '');
  const { code, stdout, stderr } = await cli(argv.map(filled), {
    cwd: folder,
    ...(JSON.parse(filled(JSON.stringify(about))) as object),
    ...(answer && { answer }),
  });
  const one = reached(servers['FIRST_URL']!);
  const two = reached(servers['SECOND_URL']!);
  return {
    code,
    stdout: shown(stdout),
    stderr: shown(stderr),
    ...(one.length > 0 && { one }),
    ...(two.length > 0 && { two }),
  };
}

test.each(groups)(
  'What is printed about two servers, and what these get, is as reviewed: $title',
  async ({ lines }) => {
    for (const { argv, about, ...expected } of lines) {
      const given = { argv, ...(about && { about }) };
      expect({ argv, ...(await run(structuredClone(given))) }).toEqual({ argv, ...expected });
    }
  },
);
