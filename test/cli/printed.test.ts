import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answers, type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { first, second, stable } from '../../test-support/servers/two-servers.js';
import { cli } from './run.js';

interface Line {
  argv: string[];
  about?: Omit<NonNullable<Parameters<typeof cli>[1]>, 'answer' | 'open'> & { answers?: string[]; open?: boolean };
  /** Files with what is in them afterwards. */
  written?: Record<string, string[]>;
  /** Its exit code, what it prints, and what both servers get. */
  [printed: string]: unknown;
}

/** Files, servers, and lines that are run beside them one after the other: all that they print, as its reviewers read it. */
const parts = ['printed.json', 'other-servers.json'].map(
  (name) =>
    JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as {
      files: Record<string, object | string>;
      servers?: Record<string, Answers>;
      groups: { title: string; lines: Line[] }[];
    },
);

const folder = temporaryFolder();
const servers: Record<string, HttpServer> = {};
beforeAll(async () => {
  const all = { FIRST_URL: first(), SECOND_URL: second, ...parts[1]!.servers };
  for (const [name, answers] of Object.entries(all)) servers[name] = await startHttpServer(answers);
  for (const [name, content] of parts.flatMap(({ files }) => Object.entries(files))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), filled(typeof content === 'string' ? content : JSON.stringify(content)));
  }
});
beforeEach(() => rmSync(join(folder, 'mcp-verbatim.lock.json'), { force: true }));
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

const contentOf = (name: string) => shown(readFileSync(join(folder, name), 'utf8'));

async function run({
  argv,
  about: { answers, open, ...about } = {},
  written,
}: Pick<Line, 'argv' | 'about' | 'written'>) {
  const answer = answers && (() => answers.shift() ?? '');
  const { code, stdout, stderr } = await cli(argv.map(filled), {
    cwd: folder,
    ...(JSON.parse(filled(JSON.stringify(about))) as object),
    ...(answer && { answer }),
    ...(open !== undefined && { open: () => Promise.resolve(open) }),
  });
  const one = reached(servers['FIRST_URL']!);
  const two = reached(servers['SECOND_URL']!);
  return {
    code,
    stdout: shown(stdout),
    stderr: shown(stderr),
    ...(written && { written: Object.fromEntries(Object.keys(written).map((name) => [name, contentOf(name)])) }),
    ...(one.length > 0 && { one }),
    ...(two.length > 0 && { two }),
  };
}

test.each(parts.flatMap(({ groups }) => groups))(
  'What is printed about two servers, and what these get, is as reviewed: $title',
  async ({ lines }) => {
    for (const { argv, about, ...expected } of lines) {
      const given = { argv, ...(about && { about }), ...(expected.written && { written: expected.written }) };
      expect({ argv, ...(await run(structuredClone(given))) }).toEqual({ argv, ...expected });
    }
  },
);
