import type { Paint } from '../terminal/terminal.js';
import { oneLine, width, wrap } from '../terminal/text.js';
import { isObject } from '../../json/index.js';
import { factsOf } from './facts.js';
import { partsOf } from './parts.js';
import type { Part } from './parts.js';

/** A schema from a stranger may be as deep and as large as it likes; a reader's patience is not. */
const deepest = 24;
const mostLines = 4000;

interface Tree {
  lines: string[];
  /** The references met, in the order of their appearance. */
  references: Set<string>;
}

/** A schema as an indented tree: a line per part with its type and bounds, its description below. */
export function schemaTree(schema: unknown, { paint, columns }: { paint: Paint; columns: number }): Tree {
  const tree: Tree = { lines: [], references: new Set() };
  noteReference(schema, tree);
  draw(partsOf(schema), '', 0, tree, paint, columns);
  if (tree.lines.length >= mostLines) tree.lines.push(paint.dim('… more than can be shown; --json has it all'));
  return tree;
}

function draw(parts: readonly Part[], indent: string, depth: number, tree: Tree, paint: Paint, columns: number): void {
  parts.forEach((part, index) => {
    if (tree.lines.length >= mostLines) return;
    const last = index === parts.length - 1;
    const below = `${indent}${last ? '   ' : '│  '}`;
    const inner = partsOf(part.schema);
    noteReference(part.schema, tree);
    tree.lines.push(
      ...headOf(
        part,
        `${indent}${last ? '└─ ' : '├─ '}`,
        `${below}${inner.length > 0 ? '│  ' : '   '}`,
        paint,
        columns,
      ),
    );
    if (depth < deepest) draw(inner, below, depth + 1, tree, paint, columns);
    else if (inner.length > 0) tree.lines.push(paint.dim(`${below}…`));
  });
}

function headOf(
  { label, schema, required }: Part,
  first: string,
  below: string,
  paint: Paint,
  columns: number,
): string[] {
  const facts = [required ? 'required' : '', factsOf(schema)].filter((fact) => fact !== '').join(', ');
  const name = paint.cyan(label);
  const room = columns - width(first) - width(label) - 1;
  const beside = width(facts) <= room;
  const rest = (text: string, style: (line: string) => string) =>
    wrap(text, columns - width(below)).map((line) => `${paint.dim(below)}${style(line)}`);
  const mark = (text: string) =>
    text.startsWith('required') ? paint.bold('required') + text.slice('required'.length) : text;
  return [
    `${paint.dim(first)}${name}${beside && facts !== '' ? ` ${mark(facts)}` : ''}`,
    ...(beside ? [] : rest(facts, mark)),
    ...(descriptionOf(schema) === '' ? [] : rest(descriptionOf(schema), paint.dim)),
  ];
}

export function descriptionOf(schema: unknown): string {
  if (!isObject(schema)) return '';
  const { title, description } = schema;
  return [title, description]
    .filter((text) => typeof text === 'string')
    .map((text) => oneLine(text))
    .join(': ');
}

function noteReference(schema: unknown, tree: Tree): void {
  if (isObject(schema) && typeof schema['$ref'] === 'string') tree.references.add(schema['$ref']);
}
