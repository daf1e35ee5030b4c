import { isObject } from '../../json/index.js';
import { deepFreeze } from './freeze.js';
import { notesOn } from './notes.js';
import { reasonToSetAside } from './set-aside.js';

/** A remark on something odd, with a stable code. */
export interface Note {
  readonly code: string;
  readonly message: string;
  /** Where in the input schema, as a JSON Pointer fragment such as `#/properties/a`. */
  readonly schemaLocation?: string;
}

/** A tool as its server described it. */
export interface CatalogueTool {
  /** What the server is called with; see {@link modelTools} for names that model providers take. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** What stood on the wire, frozen: never converted, reordered, completed or trimmed. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** As it stood on the wire; it may be anything. */
  readonly outputSchema?: unknown;
  /** The server's hints, such as `readOnlyHint`; its word, not a proof. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** The whole tool object of the wire, frozen, fields that nobody knows yet included. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** What is odd about it, although it can be called. Computed when first asked for. */
  readonly notes: readonly Note[];
}

/** An entry of the list that cannot be called, and why. */
export interface SetAsideTool {
  readonly name?: string;
  /** Its place in the list, from 0. */
  readonly position: number;
  /** The entry as it came; of one that nests too deeply for JSON, the name only. */
  readonly definition: unknown;
  readonly reason: Note;
}

/** What a server listed, in its order, nothing left out. */
export interface Catalogue {
  /** What can be called; the names are unique. */
  readonly tools: readonly CatalogueTool[];
  readonly setAside: readonly SetAsideTool[];
  /** The tool of this name at the server. */
  find(name: string): CatalogueTool | undefined;
}

/** What a list is read for. */
export interface ReadCatalogueOptions {
  /**
   * Whether calls repeat arguments as HTTP headers, so that an invalid `x-mcp-header` makes a tool unusable
   * (2026-07-28, Streamable HTTP). Default false.
   */
  mirrorsHeaders?: boolean;
}

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
  const byName = new Map<string, CatalogueTool>();
  const setAside: SetAsideTool[] = [];
  for (const [position, definition] of wireTools.entries()) {
    const reason = reasonToSetAside(definition, { mirrorsHeaders: options.mirrorsHeaders === true, taken: byName });
    if (reason) {
      const name = nameOf(definition);
      // What cannot be written down as JSON again would take down the report it stands in.
      const kept = reason.code === 'too-deep' ? { name } : definition;
      deepFreeze(kept);
      setAside.push({ ...(name !== undefined && { name }), position, definition: kept, reason });
    } else {
      // Whatever has no reason against it has a name and an input schema.
      const tool = toolOf(definition as WireTool);
      byName.set(tool.name, tool);
    }
  }
  const tools = Object.freeze([...byName.values()]);
  return { tools, setAside: Object.freeze(setAside), find: (name) => byName.get(name) };
}

type WireTool = Readonly<Record<string, unknown>> & { name: string; inputSchema: Readonly<Record<string, unknown>> };

function toolOf(definition: WireTool): CatalogueTool {
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
    get notes() {
      return (notes ??= Object.freeze(notesOn(handOut())));
    },
  };
}

function nameOf(definition: unknown): string | undefined {
  return isObject(definition) && typeof definition['name'] === 'string' ? definition['name'] : undefined;
}
