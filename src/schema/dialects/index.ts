import type { Dialect } from '../keywords/keyword.js';
import type { DialectDefinition } from './dialect.js';
import { draft04 } from './draft-04.js';
import { draft06 } from './draft-06.js';
import { draft07 } from './draft-07.js';
import { draft201909 } from './draft-2019-09.js';
import { draft202012 } from './draft-2020-12.js';

export { withVocabularies } from './dialect.js';
export type { DialectDefinition } from './dialect.js';

export const dialects: Readonly<Record<Dialect, DialectDefinition>> = {
  'draft-04': draft04,
  'draft-06': draft06,
  'draft-07': draft07,
  '2019-09': draft201909,
  '2020-12': draft202012,
};

/** `http` and `https`, with and without an empty fragment, are the same. */
const uris: ReadonlyMap<string, DialectDefinition> = new Map(
  [
    ['json-schema.org/draft-04/schema', draft04] as const,
    ['json-schema.org/draft-06/schema', draft06] as const,
    ['json-schema.org/draft-07/schema', draft07] as const,
    ['json-schema.org/draft/2019-09/schema', draft201909] as const,
    ['json-schema.org/draft/2020-12/schema', draft202012] as const,
  ].flatMap(([address, dialect]) =>
    ['http://', 'https://', ''].flatMap((scheme) => ['', '#'].map((end) => [scheme + address + end, dialect] as const)),
  ),
);

/** The dialect that a `$schema` names. */
export function dialectByUri(uri: string): DialectDefinition | undefined {
  return uris.get(uri);
}
