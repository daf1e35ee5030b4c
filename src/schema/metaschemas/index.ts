import draft04 from './draft-04.json' with { type: 'json' };
import draft06 from './draft-06.json' with { type: 'json' };
import draft07 from './draft-07.json' with { type: 'json' };
import applicator201909 from './2019-09/applicator.json' with { type: 'json' };
import content201909 from './2019-09/content.json' with { type: 'json' };
import core201909 from './2019-09/core.json' with { type: 'json' };
import format201909 from './2019-09/format.json' with { type: 'json' };
import metaData201909 from './2019-09/meta-data.json' with { type: 'json' };
import schema201909 from './2019-09/schema.json' with { type: 'json' };
import validation201909 from './2019-09/validation.json' with { type: 'json' };
import applicator202012 from './2020-12/applicator.json' with { type: 'json' };
import content202012 from './2020-12/content.json' with { type: 'json' };
import core202012 from './2020-12/core.json' with { type: 'json' };
import formatAnnotation202012 from './2020-12/format-annotation.json' with { type: 'json' };
import metaData202012 from './2020-12/meta-data.json' with { type: 'json' };
import schema202012 from './2020-12/schema.json' with { type: 'json' };
import unevaluated202012 from './2020-12/unevaluated.json' with { type: 'json' };
import validation202012 from './2020-12/validation.json' with { type: 'json' };

/** The standard's own documents, unchanged: tools that take a schema as an argument refer to them. */
const documents: readonly { readonly id?: string; readonly $id?: string }[] = [
  ...[draft04, draft06, draft07],
  ...[schema201909, core201909, applicator201909, validation201909, metaData201909, format201909, content201909],
  ...[schema202012, core202012, applicator202012, unevaluated202012, validation202012, metaData202012],
  ...[formatAnnotation202012, content202012],
];

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
