import type { Dialect, Keyword } from '../keywords/keyword.js';

/** A dialect: its identifier and its keywords, grouped by vocabulary where it has vocabularies. */
export interface DialectDefinition {
  readonly name: Dialect;
  readonly keywords: ReadonlyMap<string, Keyword>;
  readonly vocabularies: Readonly<Record<string, readonly Keyword[]>>;
  /** The keyword that gives a schema its identity. */
  readonly idKeyword: '$id' | 'id';
  /** `$id: "#name"` is how this dialect writes an anchor. */
  readonly anchorsInId: boolean;
  /** Whatever stands beside `$ref` is ignored (draft-07 and before). */
  readonly refHidesSiblings: boolean;
}

export function defineDialect(definition: Omit<DialectDefinition, 'keywords'>): DialectDefinition {
  const keywords = new Map<string, Keyword>();
  for (const list of Object.values(definition.vocabularies)) {
    for (const keyword of list) keywords.set(keyword.name, keyword);
  }
  return { ...definition, keywords };
}

/** The dialect without the vocabularies that a meta-schema's `$vocabulary` leaves out; core always stays. */
export function withVocabularies(dialect: DialectDefinition, wanted: object): DialectDefinition {
  const kept = Object.entries(dialect.vocabularies).filter(
    ([uri]) => !uri.startsWith('https:') || uri.endsWith('/core') || Object.hasOwn(wanted, uri),
  );
  return defineDialect({ ...dialect, vocabularies: Object.fromEntries(kept) });
}
