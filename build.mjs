// Builds both packages from the same sources:
//   dist/                        n8n-nodes-mcp-verbatim, the nodes and credentials (manifest: ./package.json)
//   packages/mcp-verbatim/dist/  mcp-verbatim, the library and its command (manifest: in packages/mcp-verbatim), for Node as
//                                ES modules and CommonJS, and for runtimes that have `fetch` and nothing of Node;
//                                beside it the documentation, which the package brings
// Each is made in a folder of its own and takes the place of what was there when nothing has failed.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const fresh = `node_modules/.build-${process.pid}`;
const sdk = createRequire(createRequire(import.meta.url).resolve('@modelcontextprotocol/client'));
const oneZod = join(dirname(sdk.resolve('zod/v4')), 'index.js');
const shims = join(import.meta.dirname, 'build/mcp-sdk-shims.mjs');
const webShims = join(import.meta.dirname, 'build/mcp-sdk-shims.web.mjs');
const ownIdn = join(import.meta.dirname, 'src/schema/keywords/strings/idn-hostname.ts');
const frameworks = ['ai-sdk', 'openai-agents', 'mastra'].map((name) => [name, `src/frameworks/${name}.ts`]);
const faces = { index: 'src/index.ts', langchain: 'src/langchain/index.ts', ...Object.fromEntries(frameworks) };

const packageGroups = [
  { name: 'formats', test: /json-schema-formats|@hyperjump.uri|punycode/, priority: 100 },
  { name: 'mcp-server', test: /@modelcontextprotocol.server/, priority: 100 },
];
const floors = [
  'json',
  'secrets',
  'schema',
  'repair',
  'projections',
  'mcp',
  'tool',
  'approval',
  'toolset',
  'programs',
  'rules',
];
/**
 * A file for each floor, the lowest first, which takes what it needs along: few to load, and what a program does not use
 * is dropped by its bundler as a whole.
 */
const byFloor = {
  groups: [
    ...packageGroups,
    { name: 'search', test: /minisearch/, priority: 100 },
    { name: 'version', test: /^(?!.*node_modules).*package\.json$/, priority: 100 },
    // The SDK's OAuth client is a file of its own: it is loaded when somebody is to be authorized.
    ...floors.map((name, at) => ({
      name,
      test: new RegExp(`/src/${name}/(?!authorization/sdk\\.ts$)`),
      priority: floors.length - at,
    })),
  ],
};
/** Of a file that needs Node, the one beside it that does without: `X.web.ts` for `X.ts`. */
const webFiles = {
  name: 'web-files',
  resolveId: {
    order: 'pre',
    handler(source, importer) {
      if (!source.startsWith('.') || importer === undefined) return null;
      const file = join(dirname(importer), source.replace(/\.js$/, '.web.ts'));
      return existsSync(file) ? file : null;
    },
  },
};
/** What a package writes may hold a token, as the SDK's warnings about sign-in do: no user sees it. */
const quietPackages = {
  name: 'quiet-packages',
  transform: {
    filter: { id: /node_modules/, code: /\bconsole\b/ },
    handler: (code) => `const console = /* @__PURE__ */ new Proxy({}, { get: () => () => {} });\n${code}`,
  },
};
const forTheWeb = { platform: 'browser', sdkShims: webShims, plugins: [webFiles] };

process.chdir(import.meta.dirname);
process.once('exit', () => rmSync(fresh, { recursive: true, force: true }));
await Promise.all([buildNodes(`${fresh}/n8n`), buildLibrary(`${fresh}/library`)]);
replace('dist', `${fresh}/n8n`);
replace('packages/mcp-verbatim/dist', `${fresh}/library`);
copyDocs('packages/mcp-verbatim');

/** A file for each node and credential, which is all that n8n loads when it starts; what they run is in chunks. */
async function buildNodes(dir) {
  const sources = [...filesIn('nodes'), ...filesIn('credentials')];
  const entries = sources.filter((file) => /\.(node|credentials)\.ts$/.test(file));
  const input = Object.fromEntries(entries.map((file) => [file.replace(/\.ts$/, ''), file]));
  const codeSplitting = { groups: packageGroups };
  await bundle(input, { dir, format: 'cjs', chunkFileNames: 'chunks/[name].cjs', codeSplitting });
  for (const file of sources.filter((file) => /\.(svg|node\.json)$/.test(file))) cpSync(file, join(dir, file));
}

/** ES modules and CommonJS, each in a folder that says which it is, with types that are read accordingly. */
async function buildLibrary(dir) {
  await bundle({ ...faces, cli: 'src/cli/main.ts' }, { dir: `${dir}/esm`, format: 'esm', codeSplitting: byFloor });
  chmodSync(`${dir}/esm/cli.js`, 0o755);
  await bundle(faces, { dir: `${dir}/cjs`, format: 'cjs', codeSplitting: byFloor });
  // Read by bundlers alone.
  await bundle(faces, { dir: `${dir}/web`, format: 'esm', codeSplitting: byFloor, minify: true }, forTheWeb);
  writeFileSync(`${dir}/esm/package.json`, '{ "type": "module", "sideEffects": false }\n');
  writeFileSync(`${dir}/web/package.json`, '{ "type": "module", "sideEffects": false }\n');
  writeFileSync(`${dir}/cjs/package.json`, '{ "type": "commonjs", "sideEffects": false }\n');
  if (!process.argv.includes('--no-types')) await bundleTypes(dir);
}

/** TypeScript 7 checks and emits in a third of the time that the plugin's own compiler takes. */
async function bundleTypes(dir) {
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, noEmitOnError: true, stripInternal: true },
    ...{ rootDir: '../..', outDir: 'types', typeRoots: ['../@types'] },
  };
  const files = [...Object.values(faces), ...filesIn('src').filter((file) => file.endsWith('.d.ts'))];
  const project = { extends: '../../tsconfig.json', compilerOptions, files: files.map((file) => join('../..', file)) };
  writeFileSync(`${fresh}/types.json`, JSON.stringify({ ...project, include: [] }));
  await promisify(execFile)(process.execPath, ['node_modules/typescript-7/bin/tsc', '-p', `${fresh}/types.json`]);
  const declared = (file) => file.replace(/\.[jt]s$/, '.d.ts');
  const emitted = Object.entries(faces).map(([name, file]) => [name, `${fresh}/types/${declared(file)}`]);
  // The plugin itself takes what lies in node_modules for a package.
  const ownFiles = {
    name: 'own-files',
    resolveId: (source, importer) => (source.startsWith('.') ? join(dirname(importer), declared(source)) : null),
  };
  const types = await rollup({
    input: Object.fromEntries(emitted),
    external: /^(?!@standard-schema)[^./]/,
    plugins: [ownFiles, dts({ includeExternal: ['@standard-schema/spec'] })],
  });
  // `await using` sessions, for programs whose `lib` is older and that have no @types/node.
  const banner = '/// <reference lib="esnext.disposable" />';
  const chunkFileNames = ({ name }) => `${name.replace(/\.d$/, '')}-[hash].d.ts`;
  for (const format of ['esm', 'cjs'])
    await types.write({ dir: `${dir}/${format}`, entryFileNames: '[name].d.ts', chunkFileNames, banner });
}

async function bundle(input, output, { platform = 'node', sdkShims = shims, plugins = [] } = {}) {
  await build({
    input,
    platform,
    transform: { target: 'node20' },
    // The host's own copies, found when the host runs, never shipped.
    external: [/^n8n-workflow$/, /^@langchain\/core(\/|$)/, /^@openai\/agents$/, /^@n8n\//, /^zod$/],
    resolve: {
      alias: {
        '@modelcontextprotocol/client/_shims': sdkShims,
        'zod/v4': oneZod, // two copies of one version are installed
        'idn-hostname': ownIdn, // without 180 KB of tables
      },
    },
    plugins: [
      ...plugins,
      quietPackages,
      { name: 'minify-packages', generateBundle: minifyPackages },
      { name: 'licences', generateBundle: addLicences },
    ],
    output: { ...output, strictExecutionOrder: false },
  });
}

/** Our own code stays readable; what comes from other packages is read where it comes from. */
function minifyPackages(_options, files) {
  // Of `sdk.ts`, all but a list of names is the SDK's.
  const isOurs = (module) => /^(src|nodes|credentials)\b(?!.*\bauthorization.sdk\.ts$)/.test(relative('', module));
  for (const chunk of Object.values(files))
    if (!chunk.moduleIds.some(isOurs)) chunk.code = minifySync(chunk.fileName, chunk.code, { module: true }).code;
}

/** The licences of the packages that are bundled, as they ask for. */
function addLicences(_options, files) {
  const modules = Object.values(files).flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = modules.map((id) => /.*node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter(Boolean);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}`;
  });
  const source = `This package contains parts of these.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
  this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source });
}

/** The pages, without their pictures. */
function copyDocs(folder) {
  rmSync(`${folder}/docs`, { recursive: true, force: true });
  cpSync('docs', `${folder}/docs`, {
    recursive: true,
    filter: (file) => !/images|\.json$/.test(file) || file.includes('workflows'),
  });
  for (const page of filesIn(`${folder}/docs`).filter((file) => file.endsWith('.md')))
    writeFileSync(page, readFileSync(page, 'utf8').replace(/^ *!\[.*\]\(.*\)\n\n?/gm, ''));
  cpSync('SECURITY.md', `${folder}/SECURITY.md`);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true }).map((file) => join(folder, file));
}

function replace(old, built) {
  rmSync(old, { recursive: true, force: true });
  renameSync(built, old);
}
