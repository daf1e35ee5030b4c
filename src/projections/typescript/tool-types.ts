import { type JsonObject, resolveLocalReference, walkSchemas, WorkBudget } from '../../json/index.js';
import { compileSchema, dialects } from '../../schema/index.js';
import { schemaComment, schemaType, type TypeContext } from './schema-type.js';
import { docblock, identifiers, propertyName } from './source-text.js';

interface DescribedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
}

/** Twice what any published tool needs. */
const mostSteps = 20_000;

/**
 * TypeScript that declares the arguments of tools: an interface `Tools` with the type of each tool's arguments by the tool's
 * name. The types never reject arguments that the schemas accept. Nothing in a schema becomes code, and nothing is fetched.
 */
export function toolTypes(tools: readonly DescribedTool[]): string {
  const identifierFor = identifiers(['Array', 'Tools', 'TypedCallTool']);
  const declared = tools.map((tool) => ({ tool, name: identifierFor(tool.name) }));
  const comment = ({ description = '' }: DescribedTool) => docblock([description], '  ');
  const members = declared.map(({ tool, name }) => `${comment(tool)}  ${propertyName(tool.name)}: ${name};`);
  const types = declared.flatMap(({ tool, name }) => typesOfTool(tool.inputSchema, name, identifierFor));
  const all = `/** The arguments of each tool. */\nexport interface Tools {\n${members.join('\n')}\n}`;
  return `${[all, ...types].join('\n\n')}\n`;
}

/** A module with the types of tools, and the library's `callTool` with these types. */
export function toolModule(tools: readonly DescribedTool[], mark: string): string {
  return `// Written by \`mcp-verbatim types\`. Do not edit.
// ${mark}
import { callTool as call, type TypedCallTool } from 'mcp-verbatim';

/** Calls a tool by its name. The compiler checks the arguments; they are checked again before they are sent. */
export const callTool: TypedCallTool<Tools> = call;

${toolTypes(tools)}`;
}

function typesOfTool(root: JsonObject, rootName: string, identifierFor: (text: string) => string): string[] {
  const named = new Map<JsonObject, string>([[root, rootName]]);
  /** The named types that are alternatives of a named type: in a circle, TypeScript takes none of them. */
  const alternatives = new Map<string, Set<string>>();
  const leadsTo = (from: string, to: string): boolean =>
    from === to || [...(alternatives.get(from) ?? [])].some((next) => leadsTo(next, to));
  const context: TypeContext = {
    // Within a schema that has an identifier of its own, the same reference leads elsewhere.
    resolve: hasEmbedded(root) ? () => undefined : (reference) => resolveLocalReference(root, reference),
    nameOf(target, reference, inside) {
      const name = named.get(target) ?? identifierFor(`${rootName} ${reference.replace(/^.*\//s, '')}`);
      named.set(target, name);
      if (inside === undefined) return name;
      if (leadsTo(name, inside)) return undefined;
      alternatives.set(inside, (alternatives.get(inside) ?? new Set()).add(name));
      return name;
    },
    dialect: dialects[compileSchema(root).dialect],
    reading: { root, budget: new WorkBudget({ steps: mostSteps, ms: Infinity }) },
  };
  const types: string[] = [];
  // Grows while references are met.
  for (const [schema, name] of named) {
    const place = { indent: '', inside: name, merged: new Set([schema]), around: new Set(), foreign: [], level: 0 };
    const type = schemaType([...(schema === root ? [{ type: 'object' }] : []), schema], context, place);
    const comment = schema === root ? '' : docblock(schemaComment(schema), '');
    types.push(`${comment}export type ${name} = ${type};`);
  }
  return types;
}

function hasEmbedded(root: JsonObject): boolean {
  const isNamed = ({ $id, id }: JsonObject) => typeof $id === 'string' || typeof id === 'string';
  return [...walkSchemas(root)].some(({ schema }) => schema !== root && isNamed(schema));
}
