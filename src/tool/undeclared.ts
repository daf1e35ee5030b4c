import { isList, isObject, jsonPointer, namesNear } from '../json/index.js';
import { applicableSchemas, compileSchema, mentionedNames, rootOf, schemasAt } from '../schema/index.js';
import type { SchemaNode } from '../schema/index.js';

/** A member that its schema lets through without mentioning its name: it may be misspelled. */
export interface UndeclaredMember {
  readonly name: string;
  /** The JSON Pointer of the object that holds it. */
  readonly at: string;
  /** The declared name that it resembles. */
  readonly near?: string | undefined;
}

/** More members than anybody types. */
const mostMembers = 1_000;

/** The undeclared members of arguments; none of an object whose schema mentions no name. */
export function undeclaredMembers(inputSchema: unknown, args: object): UndeclaredMember[] {
  const found: UndeclaredMember[] = [];
  const waiting: { value: unknown; nodes: readonly SchemaNode[]; path: readonly (string | number)[] }[] = [
    { value: args, nodes: [rootOf(compileSchema(inputSchema))], path: [] },
  ];
  let members = 0;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { value, nodes, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    const schemas = applicableSchemas(nodes);
    const names = [...new Set(schemas.flatMap(({ schema }) => mentionedNames(schema)))];
    for (const [key, member] of isList(value) ? value.entries() : Object.entries(value)) {
      if (++members > mostMembers) return found;
      const inner = schemas.flatMap((schema) => schemasAt(key, schema));
      waiting.push({ value: member, nodes: inner, path: [...path, key] });
      const isDeclared = inner.some(({ schema }) => isObject(schema) && Object.keys(schema).length > 0);
      if (typeof key === 'number' || isDeclared || names.length === 0 || names.includes(key)) continue;
      const [near] = namesNear(key.slice(0, 128), names);
      found.push({ name: key, at: jsonPointer(path), near });
    }
  }
  return found;
}
