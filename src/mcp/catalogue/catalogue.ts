import { deepFreeze, isObject } from '../../json/index.js';
import type { WireText } from '../wire/envelope.js';
import { notesOn, reasonToSkip } from './notes.js';
import type { Catalogue, CatalogueTool, Note, ReadCatalogueOptions, SkippedTool } from './tool.js';
import { textsOfTools, type ToolText } from '../wire/wire-text.js';

/**
 * Sorts the entries of a `tools/list` answer into tools and entries that are skipped with a reason; of several with one
 * name the first stays. Entries are frozen when they are first handed out: all at once would cost more than parsing.
 *
 * ```ts
 * const { tools, skipped } = readCatalogue([{ name: 'search', inputSchema: { type: 'object' } }, { name: 'odd' }]);
 * tools.map(({ name }) => name); // => ['search']
 * skipped.map(({ name }) => name); // => ['odd']
 * ```
 */
export function readCatalogue(wireTools: readonly unknown[], options: ReadCatalogueOptions = {}): Catalogue {
  return catalogueOf([{ entries: wireTools }], options);
}

type CatalogueOptions = ReadCatalogueOptions & Pick<Catalogue, 'instructions' | 'serverInfo'>;

export function catalogueOf(
  pages: readonly { readonly entries: readonly unknown[]; readonly wire?: WireText }[],
  { mirrorsHeaders = false, instructions, serverInfo }: CatalogueOptions = {},
): Catalogue {
  const byName = new Map<string, CatalogueTool>();
  const skipped: SkippedTool[] = [];
  for (const { entries, wire } of pages) {
    const textAt = wire && textsOfTools(wire);
    for (const [index, definition] of entries.entries()) {
      const reason = reasonToSkip(definition, { mirrorsHeaders, taken: byName });
      if (reason) skipped.push(skippedEntry(definition, byName.size + skipped.length, reason));
      else {
        const wireTool = definition as WireTool; // nothing speaks against it
        const tool = toolOf(wireTool, () => textAt?.(index, wireTool));
        byName.set(tool.name, tool);
      }
    }
  }
  return {
    ...(instructions !== undefined && { instructions }),
    ...(serverInfo && { serverInfo }),
    tools: Object.freeze([...byName.values()]),
    skipped: Object.freeze(skipped),
    find: (name) => byName.get(name),
  };
}

function skippedEntry(definition: unknown, position: number, reason: Note): SkippedTool {
  const name = isObject(definition) && typeof definition['name'] === 'string' ? definition['name'] : undefined;
  // A value that cannot be written as JSON again would break the report that contains it.
  const kept = reason.code === 'too-deep' ? { name } : definition;
  deepFreeze(kept);
  return { ...(name !== undefined && { name }), position, definition: kept, reason };
}

type WireTool = Readonly<Record<string, unknown>> & { name: string; inputSchema: Readonly<Record<string, unknown>> };

type ReadText = () => ToolText | undefined;

class ListedTool {
  readonly name: string;
  declare readonly title?: string;
  declare readonly description?: string;
  readonly #definition: WireTool;
  readonly #text: ReadText;
  #isFrozen = false;
  #notes: readonly Note[] | undefined;

  constructor(definition: WireTool, text: ReadText) {
    const { name, title, description } = definition;
    this.#definition = definition;
    this.#text = text;
    this.name = name;
    if (typeof title === 'string') this.title = title;
    if (typeof description === 'string') this.description = description;
  }

  /** Getters are properties of each tool, so that a copy has them, but one function for all of thousands. */
  static readonly fields: PropertyDescriptorMap & ThisType<ListedTool> = {
    inputSchema: field((tool) => tool.#handOut().inputSchema),
    outputSchema: field((tool) => tool.#handOut()['outputSchema']),
    annotations: field((tool) => {
      const { annotations } = tool.#handOut();
      return isObject(annotations) ? annotations : undefined;
    }),
    definition: field((tool) => tool.#handOut()),
    text: field((tool) => tool.#text()),
    notes: field((tool) => (tool.#notes ??= Object.freeze(notesOn(tool.#handOut(), tool.#text()?.definition)))),
  };

  #handOut(): WireTool {
    if (!this.#isFrozen) deepFreeze(this.#definition);
    this.#isFrozen = true;
    return this.#definition;
  }
}

function field(read: (tool: ListedTool) => unknown): PropertyDescriptor & ThisType<ListedTool> {
  return {
    get() {
      return read(this);
    },
    enumerable: true,
    configurable: true,
  };
}

function toolOf(definition: WireTool, text: ReadText): CatalogueTool {
  const tool: unknown = Object.defineProperties(new ListedTool(definition, text), ListedTool.fields);
  return tool as CatalogueTool; // it has all fields now
}
