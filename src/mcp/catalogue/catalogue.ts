import { isObject } from '../../json/index.js';
import type { WireText } from '../connection/envelope.js';
import { notesOn } from './notes.js';
import { reasonToSetAside } from './set-aside.js';
import type { Catalogue, CatalogueTool, Note, ReadCatalogueOptions, SetAsideTool, ToolText } from './tool.js';
import { textsOfTools } from './wire-text.js';

/**
 * Sorts the entries of a `tools/list` answer into tools that can be called and entries that are set aside with a
 * reason. One bad entry never affects another; of several with one name the first stays. The entries are used as they
 * are, and frozen when they are first handed out: freezing all of a long list costs several times its parsing.
 *
 * ```ts
 * const { tools, setAside } = readCatalogue([{ name: 'search', inputSchema: { type: 'object' } }, { name: 'odd' }]);
 * tools.map(({ name }) => name); // => ['search']
 * setAside.map(({ name }) => name); // => ['odd']
 * ```
 */
export function readCatalogue(wireTools: readonly unknown[], options: ReadCatalogueOptions = {}): Catalogue {
  return catalogueOf([{ entries: wireTools }], options);
}

/** The same for a list that was read in pages, with the texts that they stood in. */
export function catalogueOf(
  pages: readonly { readonly entries: readonly unknown[]; readonly wire?: WireText }[],
  {
    mirrorsHeaders = false,
    instructions,
    serverInfo,
  }: ReadCatalogueOptions & Pick<Catalogue, 'instructions' | 'serverInfo'> = {},
): Catalogue {
  const byName = new Map<string, CatalogueTool>();
  const setAside: SetAsideTool[] = [];
  let position = 0;
  for (const { entries, wire } of pages) {
    const textAt = wire && textsOfTools(wire);
    for (const [index, definition] of entries.entries()) {
      const reason = reasonToSetAside(definition, { mirrorsHeaders, taken: byName });
      if (reason) setAside.push(asideFor(definition, position, reason));
      else {
        // Whatever has no reason against it has a name and an input schema.
        const tool = toolOf(definition as WireTool, textAt && (() => textAt(index, definition)));
        byName.set(tool.name, tool);
      }
      position++;
    }
  }
  const tools = Object.freeze([...byName.values()]);
  const find = (name: string) => byName.get(name);
  return {
    ...(instructions !== undefined && { instructions }),
    ...(serverInfo && { serverInfo }),
    tools,
    setAside: Object.freeze(setAside),
    find,
  };
}

function asideFor(definition: unknown, position: number, reason: Note): SetAsideTool {
  const name = isObject(definition) && typeof definition['name'] === 'string' ? definition['name'] : undefined;
  // What cannot be written down as JSON again would take down the report it stands in.
  const kept = reason.code === 'too-deep' ? { name } : definition;
  deepFreeze(kept);
  return { ...(name !== undefined && { name }), position, definition: kept, reason };
}

type WireTool = Readonly<Record<string, unknown>> & { name: string; inputSchema: Readonly<Record<string, unknown>> };

function toolOf(definition: WireTool, readText: (() => ToolText | undefined) | undefined): CatalogueTool {
  const { name, title, description } = definition;
  let frozen = false;
  let notes: readonly Note[] | undefined;
  const handOut = () => {
    if (!frozen) deepFreeze(definition);
    frozen = true;
    return definition;
  };
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    get inputSchema() {
      return handOut().inputSchema;
    },
    get outputSchema() {
      return handOut()['outputSchema'];
    },
    get annotations() {
      const { annotations } = handOut();
      return isObject(annotations) ? annotations : undefined;
    },
    get definition() {
      return handOut();
    },
    get text() {
      return readText?.();
    },
    get notes() {
      return (notes ??= Object.freeze(notesOn(handOut(), readText?.()?.definition)));
    },
  };
}

/** Freezes a JSON value and everything in it. Works through a list of its own: nesting from outside has no bound. */
function deepFreeze(value: unknown): void {
  if (!isContainer(value) || Object.isFrozen(value)) return;
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    Object.freeze(next);
    // For an object of unknown members, the library of types says any[].
    for (const child of Object.values(next) as unknown[]) if (isContainer(child)) waiting.push(child);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
