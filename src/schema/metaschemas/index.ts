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
const metaschemas: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['http://json-schema.org/draft-04/schema', draft04],
  ['http://json-schema.org/draft-06/schema', draft06],
  ['http://json-schema.org/draft-07/schema', draft07],
  ['https://json-schema.org/draft/2019-09/schema', schema201909],
  ['https://json-schema.org/draft/2019-09/meta/core', core201909],
  ['https://json-schema.org/draft/2019-09/meta/applicator', applicator201909],
  ['https://json-schema.org/draft/2019-09/meta/validation', validation201909],
  ['https://json-schema.org/draft/2019-09/meta/meta-data', metaData201909],
  ['https://json-schema.org/draft/2019-09/meta/format', format201909],
  ['https://json-schema.org/draft/2019-09/meta/content', content201909],
  ['https://json-schema.org/draft/2020-12/schema', schema202012],
  ['https://json-schema.org/draft/2020-12/meta/core', core202012],
  ['https://json-schema.org/draft/2020-12/meta/applicator', applicator202012],
  ['https://json-schema.org/draft/2020-12/meta/unevaluated', unevaluated202012],
  ['https://json-schema.org/draft/2020-12/meta/validation', validation202012],
  ['https://json-schema.org/draft/2020-12/meta/meta-data', metaData202012],
  ['https://json-schema.org/draft/2020-12/meta/format-annotation', formatAnnotation202012],
  ['https://json-schema.org/draft/2020-12/meta/content', content202012],
]);

/** The meta-schema at an absolute URI. Older ones are named with `https` as often as with the `http` they have. */
export function metaschema(uri: string): unknown {
  return (
    metaschemas.get(uri) ??
    metaschemas.get(uri.replace(/^https:/, 'http:')) ??
    metaschemas.get(uri.replace(/^http:/, 'https:'))
  );
}
