import { visibleLine } from '../../json/index.js';
import { hideSecretsIn } from '../../secrets/index.js';

const placeLimit = 200;

/** The instance location as people read it. Control characters are escaped: a property name cannot add a line. */
export function place(instanceLocation: string): string {
  if (instanceLocation === '') return '(root)';
  // A secret that the first cut goes through is still recognised by its rest.
  return visibleLine(middleCut(hideSecretsIn(middleCut(instanceLocation, 10 * placeLimit)), placeLimit));
}

function middleCut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit / 2)}...${text.slice(-limit / 2)}`;
}
