import { editDistance, type JsonObject, quote } from '../../json/index.js';
import type { Expectation } from './expectation.js';

/** Declared names that are looked through for the one that was meant, and named where none comes close. */
const candidateLimit = 200;
const namedLimit = 12;

/** A property that no schema allows, with the one that was probably meant, or else those that are allowed. */
export function unwantedProperty(property: string, declared: JsonObject): Expectation {
  const names = Object.keys(declared);
  const meant = closest(property, names.slice(0, candidateLimit));
  return {
    expected: `no property ${quote(property)}`,
    problem: `must not have the property ${quote(property)}${hint(meant, names)}`,
    property,
  };
}

function hint(meant: string | undefined, names: readonly string[]): string {
  if (meant !== undefined) return ` (did you mean ${quote(meant)}?)`;
  if (names.length === 0 || names.length > namedLimit) return '';
  return ` (allowed: ${names.map((name) => quote(name, 40)).join(', ')})`;
}

function closest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = simplified(name);
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(wanted, simplified(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.min(2, Math.floor(candidate.length * 0.4)))
    .sort((left, right) => left.distance - right.distance);
  return near[0]?.candidate;
}

/** Without what models get wrong most: case and separators. */
function simplified(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
