import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import * as face from '../src/index.js';
import * as internal from '../src/internal.js';

/** An example in a docblock: fenced, with `// => value` behind what it gives. */
interface Example {
  place: string;
  code: string;
  /** What the docblock is about. */
  about: string | undefined;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const examples = ['src/schema', 'src/repair', 'src/mcp', 'src/projections', 'src/tool', 'src/langchain'].flatMap(
  (floor) => ts.sys.readDirectory(join(root, floor), ['.ts']).flatMap((file) => examplesIn(file)),
);

/** What the examples take for granted. */
const given = `
  import { ${Object.keys(internal).join(', ')} } from '../src/internal.js';
  import type { CatalogueTool, SdkClient, Session } from '../src/index.js';
  import { interruptOn, mcpTools, type McpTool, repairToolCalls, verbatimTools } from '../src/langchain/index.js';
  declare const session: Session; declare const tool: CatalogueTool; declare const client: SdkClient; declare const tools: McpTool[];
  declare const url: string; declare const secret: string; declare const model: unknown;
  declare function createAgent(options: object): unknown;
  declare function createMiddleware(config: object): unknown;
  declare function humanInTheLoopMiddleware(options: object): unknown;`;

describe('the examples in docblocks', () => {
  test('compile', () => {
    expect(examples.length).toBeGreaterThan(0);
    const functions = examples.map(({ code }, n) => `export async function example${n}() {\n${code}\n}`);
    expect(errorsIn([given, ...functions].join('\n'))).toEqual([]);
  });

  test.each(examples.filter(({ code }) => code.includes('// => ')))('$place gives what it says', ({ code }) => {
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
  '$place uses nothing that the package does not export',
  ({ code }) => {
    const hidden = Object.keys(internal).filter((name) => !(name in face));
    expect(hidden.filter((name) => new RegExp(`\\b${name}\\(`).test(code))).toEqual([]);
  },
);

function examplesIn(file: string): Example[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^ *\* ```ts\n((?: *\*.*\n)*?) *\* ```$/gm)].map(({ 0: whole, 1: lines, index }, n) => ({
    place: `${file.slice(root.length)} (${n + 1})`,
    code: lines!.replace(/^ *\* ?/gm, ''),
    about: /^export (?:async )?(?:function|const|class) (\w+)/m.exec(text.slice(index + whole.length))?.[1],
  }));
}

/** As strict as a user may be; what an example does not use is no error. */
function errorsIn(text: string): string[] {
  const file = join(root, 'test', 'examples.virtual.ts');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: object;
  };
  const options = {
    ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
    noUnusedLocals: false,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, language, ...rest) =>
    path === file ? ts.createSourceFile(file, text, language) : getSourceFile(path, language, ...rest);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file)!;
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.map(
    ({ messageText, start = 0 }) =>
      `${ts.flattenDiagnosticMessageText(messageText, ' ')}: ${text.slice(start, start + 60)}`,
  );
}
