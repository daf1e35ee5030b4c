import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import * as face from '../../src/index.js';
import * as internal from '../../src/internal.js';
import { apiPage, entryFiles, options } from '../../test-support/api-page.js';
import { root, textOf } from './pages.js';

/** An example in a docblock: a code fence, with `// => value` behind each result. */
interface Example {
  place: string;
  code: string;
  /** The export that the docblock describes. */
  about: string | undefined;
}

const examples = ['src/schema', 'src/repair', 'src/mcp', 'src/projections', 'src/tool', 'src/langchain'].flatMap(
  (floor) => ts.sys.readDirectory(join(root, floor), ['.ts']).flatMap((file) => examplesIn(file)),
);

/** Names that the examples use without declaring them. */
const given = `
  import { ${Object.keys(internal).join(', ')} } from '../../src/internal.js';
  import type { CatalogueTool, SdkClient, Session } from '../../src/index.js';
  import { interruptOn, mcpTools, type McpTool, repairToolCalls, verbatimTools } from '../../src/langchain/index.js';
  declare const session: Session; declare const tool: CatalogueTool; declare const client: SdkClient; declare const tools: McpTool[];
  declare const url: string; declare const secret: string; declare const model: unknown;
  declare function createAgent(options: object): unknown;
  declare function createMiddleware(config: object): unknown;
  declare function humanInTheLoopMiddleware(options: object): unknown;`;

const functions = examples.map(({ code }, n) => `export async function example${n}() {\n${code}\n}`);
const examplesFile = join(import.meta.dirname, 'examples.virtual.ts');
/** Compiles the package and the examples with a user's strictest options. An unused name in an example is no error. */
const program = programWith(examplesFile, [given, ...functions].join('\n'));
const checker = program.getTypeChecker();

test('docs/api.md is up to date with the docblocks (npm run docs:api)', () => {
  expect(firstDifference(textOf('docs/api.md'), apiPage(program))).toBeUndefined();
});

describe('the examples in docblocks', () => {
  test('The examples in docblocks compile', () => {
    expect(examples.length).toBeGreaterThan(0);
    expect(errorsIn(examplesFile)).toEqual([]);
  });

  test.each(examples.filter(({ code }) => code.includes('// => ')))('The example $place gives the values in its comments', ({ code }) => {
    const asserting = code.replace(/^(.*); \/\/ => (.*)$/gm, 'results.push([$1, ($2)]);');
    const program = `(function (${Object.keys(internal).join(', ')}) { const results = []; ${asserting}; return results; })`;
    const results = (runInThisContext(program) as (...names: unknown[]) => [unknown, unknown][])(
      ...Object.values(internal),
    );
    expect(results.length).toBeGreaterThan(0);
    for (const [actual, expected] of results) expect(actual).toEqual(expected);
  });
});

test.each(examples.filter(({ about }) => about !== undefined && about in face))(
  'The example $place uses only exports of the package',
  ({ code }) => {
    const hidden = Object.keys(internal).filter((name) => !(name in face));
    expect(hidden.filter((name) => new RegExp(`\\b${name}\\(`).test(code))).toEqual([]);
  },
);

const entries = [
  ...['src/index.ts', 'src/langchain/index.ts'],
  ...['ai-sdk', 'openai-agents', 'mastra'].map((name) => `src/frameworks/${name}.ts`),
];
const exported = Object.fromEntries(
  entries.map((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, entry))!)!;
    return [entry, checker.getExportsOfModule(module).map(original)];
  }),
);

function original(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

describe.each(entries)('what %s exports', (entry) => {
  test('Every export has an explanation', () => {
    const unexplained = exported[entry]!.filter((symbol) => documentationOf(symbol) === '').map(({ name }) => name);
    expect(unexplained).toEqual([]);
  });

  test('Every option of an export has an explanation', () => {
    const unexplained = exported[entry]!.filter(({ name }) => /(Options|Address|Credentials)$/.test(name)).flatMap(
      (symbol) =>
        membersOf(symbol)
          .filter((member) => member.flags & ts.SymbolFlags.Optional && documentationOf(member) === '')
          .map(({ name }) => `${symbol.name}.${name}`),
    );
    expect(unexplained).toEqual([]);
  });

  test('Every type that an export mentions can be imported', () => {
    const known = new Set(Object.values(exported).flat());
    const hidden = exported[entry]!.flatMap((symbol) =>
      (symbol.declarations ?? [])
        .flatMap(mentionedTypes)
        .filter((type) => !known.has(type))
        .map((type) => `${symbol.name}: ${type.name}`),
    );
    expect([...new Set(hidden)]).toEqual([]);
  });
});

test('src/index.ts exports at most 43 values', () => {
  const values = exported['src/index.ts']!.filter(({ flags }) => flags & ts.SymbolFlags.Value);
  expect(values.length).toBeLessThanOrEqual(43);
});

function examplesIn(file: string): Example[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^ *\* ```ts\n((?: *\*.*\n)*?) *\* ```$/gm)].map(({ 0: whole, 1: lines, index }, n) => ({
    place: `${file.slice(root.length)} (${n + 1})`,
    code: lines!.replace(/^ *\* ?/gm, ''),
    about: /^export (?:async )?(?:function|const|class) (\w+)/m.exec(text.slice(index + whole.length))?.[1],
  }));
}

function programWith(file: string, text: string): ts.Program {
  const strict = { ...options(), noUnusedLocals: false };
  const host = ts.createCompilerHost(strict);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, language, ...rest) =>
    path === file ? ts.createSourceFile(file, text, language) : getSourceFile(path, language, ...rest);
  return ts.createProgram([...entryFiles(), file], strict, host);
}

function errorsIn(file: string): string[] {
  const source = program.getSourceFile(file)!;
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.map(
    ({ messageText, start = 0 }) =>
      `${ts.flattenDiagnosticMessageText(messageText, ' ')}: ${source.text.slice(start, start + 60)}`,
  );
}

/** The first line that differs: the whole page is too long for a message. */
function firstDifference(page: string, made: string): string | undefined {
  if (page === made) return undefined;
  const [lines, wanted] = [page.split('\n'), made.split('\n')];
  const index = wanted.findIndex((line, at) => line !== lines[at]);
  return `line ${index + 1} is "${lines[index]}" and should be "${wanted[index]}": npm run docs:api`;
}

function documentationOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker));
}

function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter(isOurs);
}

/** The project's own types in a declaration, without private members and bodies of functions. */
function mentionedTypes(declaration: ts.Node): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isBlock(node) ||
      (ts.isClassElement(node) && node.name && ts.isPrivateIdentifier(node.name)) ||
      isInternal(node)
    )
      return;
    const symbol = ts.isTypeReferenceNode(node) && checker.getSymbolAtLocation(node.typeName);
    if (symbol && isOurs(original(symbol)) && !isLocal(original(symbol))) found.push(original(symbol));
    // The initial value of a variable or property is not part of its type.
    ts.forEachChild(node, (child) => {
      if (
        (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node)) &&
        child === node.initializer
      )
        return;
      visit(child);
    });
  };
  visit(declaration);
  return found;
}

/** True for type parameters, and for type aliases that their file does not export. */
function isLocal({ declarations = [] }: ts.Symbol): boolean {
  return declarations.every((declaration) => !(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export));
}

function isInternal(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
}

function isOurs(symbol: ts.Symbol): boolean {
  const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? '';
  return file.startsWith(join(root, 'src'));
}

