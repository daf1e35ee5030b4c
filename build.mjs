// Bundles the package: CommonJS for n8n and Node, thin ESM wrappers and types for library users.
//
// The library's face (src/index.ts) becomes one file, dist/index.cjs. Every host (n8n nodes, LangChain, CLI)
// is a file of its own that refers to it, so that classes have one identity and n8n can load a node's
// description without loading the library behind it.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const finished = join(root, 'dist');
/** Where everything is built; it takes the place of what was there before when nothing has failed. */
const dist = join(root, 'node_modules', `.dist-${process.pid}`);
const face = join(root, 'src', 'index.ts');

/** The host's own copies, resolved when the host runs, never shipped. */
const fromHost = ['n8n-workflow', '@langchain/core', '@langchain/core/*', 'zod', 'zod/*', '@n8n/*'];

/** Packages that are bundled once, minified, beside the face. */
const vendored = {
  '@modelcontextprotocol/client': 'mcp-client',
  '@modelcontextprotocol/client/stdio': 'mcp-client-stdio',
};

/** The checks of formats, with a table of 200 KB: loaded when a format is asserted for the first time, if ever. */
const formats = ['@hyperjump/json-schema-formats', 'idn-hostname'];

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  legalComments: 'none',
  logLevel: 'warning',
};

/**
 * What the MCP client brings and this package never uses: its Ajv (compiles schemas to code, which no schema of a
 * stranger may do here; src/schema validates instead) and the error messages of Zod in fifty languages.
 */
const leaveOut = {
  name: 'leave-out',
  setup(builder) {
    builder.onLoad({ filter: /ajvProvider-[^/\\]*\.mjs$/ }, () => ({
      contents: `class AjvJsonSchemaValidator {
        getValidator() { throw new Error('Ajv is not part of this package.'); }
      }
      export { AjvJsonSchemaValidator as n };`,
    }));
    builder.onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

process.once('exit', () => rmSync(dist, { recursive: true, force: true }));
mkdirSync(dist, { recursive: true });

await buildVendored();
await buildEntry(face, 'index.cjs');
await buildHosts();
copyAssets(join(root, 'nodes'));
copyAssets(join(root, 'credentials'));
if (!process.argv.includes('--no-types')) emitTypes();
writeEsmWrappers();

rmSync(finished, { recursive: true, force: true });
renameSync(dist, finished);

async function buildVendored() {
  // One build and one Zod, so that what the parts share (error classes above all) exists once.
  const client = createRequire(createRequire(import.meta.url).resolve('@modelcontextprotocol/client'));
  const oneZod = join(dirname(client.resolve('zod/v4')), 'index.js');
  const entry = Object.keys(vendored)
    .map((name) => `export * from ${JSON.stringify(name)};`)
    .join('\n');
  await build({
    ...common,
    stdin: { contents: entry, resolveDir: root, loader: 'js' },
    outfile: join(dist, 'vendor', 'mcp-client.cjs'),
    minify: true,
    legalComments: 'eof',
    alias: { 'zod/v4': oneZod },
    plugins: [leaveOut],
  });
  await build({
    ...common,
    stdin: {
      contents: formats.map((name, n) => `export * as library${n} from ${JSON.stringify(name)};`).join('\n'),
      resolveDir: root,
      loader: 'js',
    },
    outfile: join(dist, 'vendor', 'formats.cjs'),
    minify: true,
    legalComments: 'eof',
  });
}

async function buildHosts() {
  const hosts = [
    ['src/langchain/index.ts', 'langchain.cjs'],
    ['src/cli/main.ts', 'cli.cjs'],
    ...entries('credentials', '.credentials.ts'),
    ...entries('nodes', '.node.ts'),
  ];
  for (const [source, target] of hosts) {
    if (existsSync(join(root, source))) await buildEntry(join(root, source), target);
  }
  // LangChain exists twice, as ESM and as CommonJS, and so do its classes: who imports it wants tools of the same kind.
  await buildEntry(join(root, 'src/langchain/index.ts'), 'langchain.mjs', 'esm');
}

function entries(folder, suffix) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(suffix))
    .map((file) => [join(folder, file), join(folder, file.replace(/\.ts$/, '.js'))]);
}

async function buildEntry(entryPoint, target, format = 'cjs') {
  const outfile = join(dist, target);
  await build({
    ...common,
    format,
    entryPoints: [entryPoint],
    outfile,
    external: fromHost,
    plugins: [siblings(entryPoint, dirname(outfile)), await formatsOnDemand(dirname(outfile))],
  });
}

/** Keeps the face and the vendored packages out of an entry's bundle and points to their files instead. */
function siblings(entryPoint, folder) {
  const to = (file) => ({ path: posix(relative(folder, join(dist, file))), external: true });
  return {
    name: 'siblings',
    setup(builder) {
      builder.onResolve({ filter: /^@modelcontextprotocol\/client/ }, ({ path }) =>
        path in vendored ? to('vendor/mcp-client.cjs') : undefined,
      );
      builder.onResolve({ filter: /index\.js$/ }, ({ path, resolveDir }) => {
        const target = resolve(resolveDir, path).replace(/\.js$/, '.ts');
        return target === face && entryPoint !== face ? to('index.cjs') : undefined;
      });
    },
  };
}

/** Puts functions of the same names in place of the libraries for formats, which load them when one of them is called. */
async function formatsOnDemand(folder) {
  const file = posix(relative(folder, join(dist, 'vendor', 'formats.cjs')));
  const stubs = await Promise.all(formats.map(async (name, n) => stubOf(await import(name), n, file)));
  return {
    name: 'formats-on-demand',
    setup(builder) {
      builder.onResolve({ filter: /./ }, ({ path }) => {
        if (formats.includes(path)) return { path, namespace: 'formats-on-demand', sideEffects: false };
        return path === file ? { path, external: true } : undefined;
      });
      builder.onLoad({ filter: /./, namespace: 'formats-on-demand' }, ({ path }) => ({
        contents: stubs[formats.indexOf(path)],
      }));
    },
  };
}

function stubOf(library, n, file) {
  const loaded = `require(${JSON.stringify(file)}).library${n}`;
  const names = Object.keys(library).filter((name) => name !== 'default' && typeof library[name] === 'function');
  const stubs = names.map((name) => `export const ${name} = (...given) => ${loaded}.${name}(...given);`);
  return [...stubs, `export default { ${names.join(', ')} };`].join('\n');
}

function posix(path) {
  const forward = path.split('\\').join('/');
  return forward.startsWith('.') ? forward : `./${forward}`;
}

/** Icons and codex files stand beside the nodes that name them. */
function copyAssets(folder) {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!/\.(svg|png|node\.json)$/.test(file)) continue;
    const target = join(dist, relative(root, folder), file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(folder, file), target);
  }
}

function emitTypes() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', join(dist, 'types')], {
    cwd: root,
    stdio: 'inherit',
  });
}

/** ESM users share the CommonJS face: one copy of the code, one identity of every class. */
function writeEsmWrappers() {
  const names = Object.keys(createRequire(import.meta.url)(join(dist, 'index.cjs'))).filter((key) => key !== 'default');
  writeFileSync(
    join(dist, 'index.mjs'),
    `import bundle from './index.cjs';\nexport const { ${names.join(', ')} } = bundle;\n`,
  );
  writeFileSync(join(dist, 'index.d.mts'), `export * from './types/src/index.js';\n`);
  writeFileSync(join(dist, 'langchain.d.mts'), `export * from './esm/langchain/index.js';\n`);
  writeEsmTypes(join(dist, 'types', 'src', 'langchain'), join(dist, 'esm', 'langchain'));
}

/** The same declarations in a folder that TypeScript reads as ESM, so that LangChain's types are those that an ESM user has. */
function writeEsmTypes(from, to) {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  writeFileSync(join(dirname(to), 'package.json'), '{"type":"module"}\n');
  for (const file of readdirSync(from)) {
    writeFileSync(
      join(to, file),
      readFileSync(join(from, file), 'utf8').replaceAll("'../index.js'", "'../../index.mjs'"),
    );
  }
}
