import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { McpError, readCatalogue, type CatalogueTool, type ToolResult } from '../../src/mcp/index.js';
import * as tools from '../../src/tool/index.js';
import { noticeTool, toolTokens } from '../../src/toolset/index.js';
import { isNamed } from '../../src/toolset/policy.js';

const listed = (definitions: readonly unknown[]) => readCatalogue(definitions).tools;
const sent = ({ tool: _, argumentsFromModel, ...shown }: tools.ModelTool, args?: object) =>
  args ? { ...shown, args: argumentsFromModel?.(args) ?? 'as they are' } : shown;

/** What each function gives for values of JSON; the tables have its arguments and its result. */
const functions: Record<string, (...given: never[]) => unknown> = {
  exposedTool: (definition: object, ...more: [string, object]) => tools.exposedTool(listed([definition])[0]!, ...more),
  isNamed,
  matchNames: (names: string[], of: { name: string }[]) => [...tools.matchNames(names, of)],
  messageForModel: (message: string, options: ConstructorParameters<typeof McpError>[1]) =>
    tools.messageForModel(new McpError(message, options)),
  modelTools: (definitions: object[], given: { fixed?: Record<string, string[]> }, args?: object) => {
    const fixed = ({ name }: CatalogueTool) => given.fixed?.[name] ?? [];
    return tools.modelTools(listed(definitions), { ...given, fixed }).map((each) => sent(each, args));
  },
  noticeTool: (name: string, text: string, naming: object) => sent(noticeTool(name, text, naming)),
  results: (result: ToolResult, longest?: number) => [
    tools.resultText(result, longest),
    tools.resultParts(result, longest),
  ],
  shortenedAnswer: tools.shortenedAnswer,
  shortenedAnswers: tools.shortenedAnswers,
  shortenedResult: tools.shortenedResult,
  toolTokens,
  undeclaredMembers: tools.undeclaredMembers,
};

const cases = JSON.parse(readFileSync(new URL('./tables.json', import.meta.url), 'utf8')) as {
  of: string;
  about: string;
  given: never[];
  result: unknown;
}[];

test.each(cases)('$of gives what was reviewed for $about', ({ of, given, result }) => {
  const text = JSON.stringify({ result: functions[of]?.(...given) });
  expect(JSON.parse(text)).toEqual(result === undefined ? {} : { result });
});
