import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { floors as mutated } from '../test-support/mutants/floors.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const indexes = (...layers: string[]) => layers.map((layer) => `src/${layer}/index.ts`);

/**
 * The imports that each layer may have besides its own: the layers below, through their index. Hosts import the
 * library's exports.
 */
const floors: Record<string, readonly string[]> = {
  'src/json': [],
  'src/secrets': indexes('json'),
  'src/schema': indexes('json', 'secrets'),
  'src/repair': indexes('json', 'secrets', 'schema'),
  'src/projections': indexes('json', 'schema', 'repair'),
  'src/mcp': [...indexes('json', 'secrets', 'schema', 'repair'), 'package.json'],
  'src/approval': indexes('json', 'secrets', 'mcp'),
  'src/tool': indexes('json', 'secrets', 'schema', 'repair', 'projections', 'mcp'),
  'src/toolset': indexes('json', 'schema', 'projections', 'mcp', 'approval', 'tool'),
  'src/programs': indexes('json', 'repair', 'projections', 'mcp', 'approval', 'tool', 'toolset'),
  'src/rules': indexes('json', 'projections', 'mcp', 'tool', 'toolset'),
  'src/langchain': ['src/internal.ts', 'src/errors.ts', ...indexes('json')],
  'src/frameworks': ['src/internal.ts', ...indexes('json')],
  'src/serve': ['src/internal.ts', 'src/mcp/node.ts', ...indexes('mcp', 'json', 'secrets'), 'package.json'],
  'src/observe': [
    'src/internal.ts',
    'src/mcp/node.ts',
    ...indexes('approval', 'projections', 'tool', 'json', 'secrets'),
  ],
  'src/cli': ['src/internal.ts', 'src/json/text.ts', ...indexes('observe', 'serve', 'json', 'secrets'), 'package.json'],
  nodes: ['src/internal.ts', ...indexes('json', 'secrets', 'projections/zod'), 'credentials/fields.ts'],
  credentials: [],
};

/** The number of files with fewer than twenty lines. It may only shrink. */
const stillShort = 7;

describe('the architecture', () => {
  test.each(Object.entries(floors))('%s imports only from the layers that it may', (floor, allowed) => {
    const files = sourceFiles(join(root, floor));
    expect(files.length).toBeGreaterThan(0);
    const isForbidden = (target: string) => !target.startsWith(`${floor}/`) && !allowed.includes(target);
    expect(found(files, (file) => importedFiles(file).filter(isForbidden))).toEqual([]);
  });

  test.each(Object.keys(floors))(
    '%s has no circle of imports, types included, nor one between its folders',
    (floor) => {
      expect(circles(importsWithin(floor))).toEqual([]);
      expect(circlesBetweenFolders(floor)).toEqual([]);
    },
  );

  test('Few files are too short to hold an idea of their own', () => {
    // These may be short: a keyword, a dialect, the options of a command, a layer's index, a replacement for a file that
    // needs Node.
    const short = allFiles()
      .map((file) => relative(root, file))
      .filter((file) => !/\/(keywords|dialects|usage)\/|\/index\.ts$|\.web\.ts$/.test(file))
      .filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length < 20);
    expect(short.length, short.join('\n')).toBeLessThanOrEqual(stillShort);
  });

  test('No file has a name that says nothing, such as "utils"', () => {
    const vague = /(^|[-/])(utils?|helpers?|common|misc|shared)\.ts$/;
    expect(allFiles().filter((file) => vague.test(file))).toEqual([]);
  });

  test('Only the protocol knows the MCP SDK, and only the hosts know their frameworks', () => {
    const owners: Record<string, RegExp> = {
      '@modelcontextprotocol/': /^src\/(mcp|serve)\//,
      'n8n-workflow': /^(nodes|credentials)\//,
      '@langchain/': /^(src\/langchain|nodes)\//,
      zod: /^(src\/projections\/zod|nodes)\//,
    };
    const isForeign = (file: string) => (name: string) =>
      Object.entries(owners).some(([prefix, owner]) => name.startsWith(prefix) && !owner.test(relative(root, file)));
    const files = ['src', 'nodes', 'credentials'].flatMap((folder) => sourceFiles(join(root, folder)));
    expect(found(files, (file) => imports(file).filter(isForeign(file)))).toEqual([]);
  });

  test('A host sends calls through the tool set alone', () => {
    const parts =
      /\b(onlyApproved|admissionOf|callTool|fixedForTool|refuseUndeclared|repairWithFixed|isOutcomeUnknown)\b/;
    const hosts = ['src/programs', 'src/langchain', 'src/frameworks', 'src/serve', 'src/cli', 'nodes'].flatMap((host) =>
      sourceFiles(join(root, host)),
    );
    expect(found(hosts, (file) => importedNames(file).filter((name) => parts.test(name)))).toEqual([]);
  });

  test('The files that mutants change, and the tests that look for mutants, exist', () => {
    const named = Object.values(mutated).flatMap(({ mutate, tests }) => [...mutate, ...tests].flatMap(alternatives));
    const absent = named.filter((path) => !path.includes('*') && !existsSync(join(root, path.replace(/^!/, ''))));
    expect(absent).toEqual([]);
  });

  test('Requiring a node or a credential loads nothing of the library', () => {
    const hosts = ['nodes', 'credentials'].flatMap((folder) => sourceFiles(join(root, folder)));
    const entries = hosts.filter((file) => /\.(node|credentials)\.ts$/.test(file));
    const loaded = [...loadedWith(entries)].map((file) => relative(root, file));
    expect(loaded.filter((file) => file.startsWith('src/'))).toEqual([]);
  });
});

/** A line for each file and each name that is found in it. */
function found(files: readonly string[], namesIn: (file: string) => string[]): string[] {
  return files.flatMap((file) => namesIn(file).map((name) => `${relative(root, file)} -> ${name}`));
}

/** The paths that a pattern with braces stands for. */
function alternatives(pattern: string): string[] {
  const [, before = '', inner, after = ''] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return inner === undefined ? [pattern] : inner.split(',').flatMap((each) => alternatives(before + each + after));
}

/** The names that a file imports, without types. */
function importedNames(file: string): string[] {
  const clauses = readFileSync(file, 'utf8').matchAll(/^import (?!type\b)[^;]*?\{([^}]*)\}[^;]*? from /gm);
  return [...clauses].flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' as ')[0] ?? ''));
}

/** The files that are loaded together with these, without those of `import type` and `import()`. */
function loadedWith(files: readonly string[], loaded = new Set<string>()): Set<string> {
  for (const file of files.filter((file) => !loaded.has(file))) {
    loaded.add(file);
    const names = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'/gm)];
    const next = names.map(([, name = '']) => resolve(dirname(file), name).replace(/\.js$/, '.ts'));
    loadedWith(next, loaded);
  }
  return loaded;
}

function allFiles(): string[] {
  return Object.keys(floors).flatMap((floor) => sourceFiles(join(root, floor)));
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

/** The circles of imports between neighbouring folders. An export of an index is no import of its folder. */
function circlesBetweenFolders(floor: string): string[] {
  const edges = new Map<string, string[]>();
  for (const [file, targets] of importsWithin(floor)) {
    const folder = dirname(file);
    const others = isIndex(file) ? [] : targets.map(dirname).filter((other) => !holds(folder, other));
    edges.set(folder, [...new Set([...(edges.get(folder) ?? []), ...others])]);
  }
  return circles(edges);
}

/** True if one of the folders is the other, or contains it. */
function holds(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function isIndex(file: string): boolean {
  return /\/index(\.web)?\.ts$/.test(file);
}

function importsWithin(floor: string): Map<string, string[]> {
  return new Map(
    sourceFiles(join(root, floor)).map((file) => [
      relative(root, file),
      importedFiles(file).filter((target) => target.startsWith(`${floor}/`) && target.endsWith('.ts')),
    ]),
  );
}

function circles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const found: string[] = [];
  const visit = (node: string, way: readonly string[]): void => {
    if (way.includes(node)) found.push([...way.slice(way.indexOf(node)), node].join(' -> '));
    if (finished.has(node) || way.includes(node)) return;
    for (const target of edges.get(node) ?? []) visit(target, [...way, node]);
    finished.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}

/** The project's files that a file imports, by their paths from the root. */
function importedFiles(file: string): string[] {
  return imports(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(dirname(file), name)).replace(/\.js$/, '.ts'));
}

function imports(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map(([, name]) => name!);
}
