// npm run docs:api: writes docs/api.md, every export of the package with its declaration and its docblock.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = {
  'mcp-verbatim': 'src/index.ts',
  'mcp-verbatim/langchain': 'src/langchain/index.ts',
  'mcp-verbatim/ai-sdk': 'src/frameworks/ai-sdk.ts',
  'mcp-verbatim/openai-agents': 'src/frameworks/openai-agents.ts',
  'mcp-verbatim/mastra': 'src/frameworks/mastra.ts',
};

/** The topic of an export, by the folder that declares it; the first folder that fits. */
const topics: Record<string, string> = {
  'src/programs': 'Tools for agents',
  'src/langchain': 'LangChain',
  'src/tool': 'One tool and its call',
  'src/toolset': 'Tools for agents',
  'src/approval': 'Approved tools',
  'src/repair': 'Repairs',
  'src/schema': 'Validation',
  'src/projections': 'Schemas for models and forms',
  'src/json': 'JSON',
  'src/mcp/authorization': 'Authorization',
  'src/mcp/elicitation': 'Questions of servers',
  'src/mcp/errors': 'Errors',
  'src/mcp/catalogue': 'Lists of tools',
  'src/mcp': 'Servers and sessions',
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(root, 'docs/api.md'), apiPage(ts.createProgram(entryFiles(), options())));

/** The source files of the package's entries. */
export function entryFiles(): string[] {
  return Object.values(entries).map((file) => join(root, file));
}

/** The compiler options of the sources. */
export function options(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

/** The page as Markdown, made from the sources by the TypeScript compiler. */
export function apiPage(program: ts.Program): string {
  const sections = Object.entries(entries).map(([name, file]) => section(program, name, join(root, file)));
  return `# API\n\nMade from the docblocks by \`npm run docs:api\`. Examples and prose: [frameworks and library](frameworks.md), [LangChain.js](langchain.md).\n\n${sections.join('\n')}`.replace(
    /\{@link (\w+)[^}]*\}/g,
    '`$1`',
  );
}

function section(program: ts.Program, name: string, file: string): string {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file)!;
  const symbols = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source)!)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter((symbol) => symbol.declarations !== undefined)
    .sort((a, b) => a.name.localeCompare(b.name));
  const isValue = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0;
  const entry = (symbol: ts.Symbol) =>
    `#### ${symbol.name}\n\n\`\`\`typescript\n${declarationOf(symbol, checker)}\n\`\`\`\n${proseOf(symbol, checker)}`;
  const values = symbols.filter(isValue).map(entry);
  const types = symbols.filter((symbol) => !isValue(symbol)).map(entry);
  return `## ${name}\n\n${indexOf(symbols)}\n\n### Functions and values\n\n${values.join('\n')}\n### Types\n\n${types.join('\n')}`;
}

function indexOf(symbols: readonly ts.Symbol[]): string {
  const byTopic = new Map<string, string[]>();
  for (const symbol of symbols) {
    const path = symbol.declarations![0]!.getSourceFile().fileName;
    const isError = symbol.name.endsWith('Error');
    const topic = isError
      ? 'Errors'
      : (Object.entries(topics).find(([folder]) => path.includes(`/${folder}/`))?.[1] ?? 'Others');
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), `[${symbol.name}](#${symbol.name.toLowerCase()})`]);
  }
  const order = [...new Set([...Object.values(topics), 'Others'])];
  return order
    .filter((topic) => byTopic.has(topic))
    .map((topic) => `- **${topic}**: ${byTopic.get(topic)!.join(' · ')}`)
    .join('\n');
}

function declarationOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const [declaration] = symbol.declarations!;
  if (ts.isFunctionDeclaration(declaration!))
    return symbol
      .declarations!.map((each) => checker.getSignatureFromDeclaration(each as ts.SignatureDeclaration)!) // overloads
      .map(
        (signature) =>
          `function ${symbol.name}${checker.signatureToString(signature, undefined, ts.TypeFormatFlags.NoTruncation)}`,
      )
      .join('\n');
  if (ts.isVariableDeclaration(declaration!))
    return `const ${symbol.name}: ${checker.typeToString(checker.getTypeOfSymbol(symbol), undefined, ts.TypeFormatFlags.NoTruncation)}`;
  if (ts.isClassDeclaration(declaration!)) return classOf(declaration);
  return textOf(declaration!);
}

/** A class's declaration without the bodies of its methods. */
function classOf(declaration: ts.ClassDeclaration): string {
  const heritage = declaration.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? '';
  const isPublic = (member: ts.ClassElement) =>
    !(ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) &&
    !(member.name && ts.isPrivateIdentifier(member.name)) &&
    !ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal');
  const members = declaration.members.filter(isPublic).map((member) => {
    const text = textOf(member).replace(/^declare /, '');
    if (!('body' in member) || member.body === undefined) return `  ${text.replace(/\s*=[^>][^]*;$/, ';')}`;
    const body = (member.body as ts.Node).getText();
    return `  ${text.slice(0, text.lastIndexOf(body)).trimEnd()};`;
  });
  return `class ${declaration.name?.text ?? ''}${heritage} {\n${members.join('\n')}\n}`;
}

/** A declaration's own text, without `export` and its docblock. */
function textOf(node: ts.Node): string {
  return node.getText().replace(/^export /, '');
}

function proseOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const about = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  const tags = symbol
    .getJsDocTags(checker)
    .filter(({ name }) => ['param', 'returns', 'throws'].includes(name))
    .map(
      ({ name, text }) => `- ${name === 'param' ? '' : `*${name}* `}${tagText(name, ts.displayPartsToString(text))}`,
    );
  return [about, tags.join('\n')]
    .filter(Boolean)
    .map((part) => `\n${part}\n`)
    .join('');
}

function tagText(name: string, text: string): string {
  if (name !== 'param') return text;
  const [parameter = '', ...words] = text.split(' ');
  return `\`${parameter}\`: ${words.join(' ').replace(/^- /, '')}`;
}
