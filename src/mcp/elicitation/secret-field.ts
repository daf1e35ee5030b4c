import { isObject, type JsonObject } from '../../json/index.js';
import { isSecretName } from '../../secrets/index.js';

/** What lets somebody pay; every other kind of secret has a name that is known elsewhere, too. */
const payment = /\b(card ?(number|no)|cvv|cvc|security ?code)\b/i;

/**
 * The first field of a form that asks for a password, a key, a token or payment data, by its name, its title or its
 * format. A server must use a page of its own for those (2025-11-25, Elicitation).
 */
export function secretField({ properties }: JsonObject): string | undefined {
  if (!isObject(properties)) return undefined;
  for (const [name, field] of Object.entries(properties)) {
    const { title, format, writeOnly } = isObject(field) ? field : {};
    if (format === 'password' || writeOnly === true || asksForSecret(name)) return name;
    if (typeof title === 'string' && asksForSecret(title)) return name;
  }
  return undefined;
}

function asksForSecret(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
  return isSecretName(name) || payment.test(words);
}
