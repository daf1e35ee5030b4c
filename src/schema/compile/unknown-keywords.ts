import { dialects, type DialectDefinition } from '../dialects/index.js';

/** Keywords that say nothing about validity, of the dialects and of what is written beside them by custom. */
const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary', '$comment'],
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
  // OpenAPI 3
  ...['discriminator', 'example', 'externalDocs', 'nullable', 'xml'],
  // editors and form generators
  ...['enumNames', 'enumDescriptions', 'markdownDescription', 'errorMessage', 'units', 'order'],
]);

export function isAnnotation(name: string): boolean {
  return annotations.has(name) || name.startsWith('x-');
}

export function explainUnknownKeyword(name: string, dialect: DialectDefinition): string {
  const elsewhere = Object.values(dialects).find(({ keywords }) => keywords.has(name));
  if (elsewhere) return `"${name}" is a keyword of ${elsewhere.name}, not of ${dialect.name}; it is ignored here.`;
  const meant = [...dialect.keywords.keys()].find((keyword) => keyword.toLowerCase() === name.toLowerCase());
  if (meant !== undefined)
    return `"${name}" is not a keyword of ${dialect.name} and is ignored. Did you mean "${meant}"?`;
  return `"${name.slice(0, 60)}" is not a keyword of ${dialect.name} and is ignored.`;
}
