import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = ['src/index.ts', 'src/langchain/index.ts'];
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => readFileSync(file, 'utf8')) as {
  config: object;
};
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram(
  entries.map((entry) => join(root, entry)),
  options,
);
const checker = program.getTypeChecker();

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
  test('is explained', () => {
    const unexplained = exported[entry]!.filter((symbol) => documentationOf(symbol) === '').map(({ name }) => name);
    expect(unexplained).toEqual([]);
  });

  test('has options that are explained', () => {
    const unexplained = exported[entry]!.filter(({ name }) => /(Options|Address|Credentials)$/.test(name)).flatMap(
      (symbol) =>
        membersOf(symbol)
          .filter((member) => member.flags & ts.SymbolFlags.Optional && documentationOf(member) === '')
          .map(({ name }) => `${symbol.name}.${name}`),
    );
    expect(unexplained).toEqual([]);
  });

  test('mentions no type that cannot be imported', () => {
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

function documentationOf(symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker));
}

function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter(isOurs);
}

/** The project's own types in a declaration, but for what is private or inside of functions. */
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
    // What a variable or a property is given is no part of what it says.
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

/** Parameters of types, and short names that a file gives to types for itself. */
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

test('src/index.ts exports at most 40 values', () => {
  const values = exported['src/index.ts']!.filter(({ flags }) => flags & ts.SymbolFlags.Value);
  expect(values.length).toBeLessThanOrEqual(40);
});
