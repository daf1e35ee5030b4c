import ts from 'typescript';

/** Declarations, and lines below them that use them. */
interface Module {
  readonly source: string;
  readonly lines: readonly string[];
}

interface Refused {
  /** True if the declarations compile. */
  readonly isUsable: boolean;
  /** The lines that the compiler rejects. */
  readonly lines: ReadonlySet<number>;
}

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  lib: ['lib.es2022.d.ts'],
  types: [],
};

/** The compiler's errors for modules, in strict mode. */
export function refusedLines(modules: readonly Module[]): Refused[] {
  const texts = new Map(
    modules.map(({ source, lines }, index) => [`/module${index}.ts`, `${source}\n${lines.join('\n')}\nexport {};\n`]),
  );
  const usual = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...usual,
    fileExists: (file) => texts.has(file) || usual.fileExists(file),
    getSourceFile(file, version) {
      const text = texts.get(file);
      return text === undefined ? usual.getSourceFile(file, version) : ts.createSourceFile(file, text, version);
    },
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return modules.map(({ source }, index) => {
    const file = program.getSourceFile(`/module${index}.ts`);
    if (!file) throw new Error('The compiler has lost a module.');
    const first = source.split('\n').length;
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0 }) => file.getLineAndCharacterOfPosition(start).line - first,
    );
    return { isUsable: found.every((line) => line >= 0), lines: new Set(found) };
  });
}
