import standard from './documents.json' with { type: 'json' };

/** The standard's own documents, unchanged: tools that take a schema as an argument refer to them. */
const documents: readonly { readonly id?: string; readonly $id?: string }[] = standard;

const metaschemas = new Map<string, unknown>(
  documents.map((each) => [(each.$id ?? each.id ?? '').replace(/#$/, ''), each]),
);

/** The meta-schema at an absolute URI. Older ones are named with `https` as often as with the `http` they have. */
export function metaschema(uri: string): unknown {
  return (
    metaschemas.get(uri) ??
    metaschemas.get(uri.replace(/^https:/, 'http:')) ??
    metaschemas.get(uri.replace(/^http:/, 'https:'))
  );
}
