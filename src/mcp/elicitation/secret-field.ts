import { isObject, quote, type JsonObject } from '../../json/index.js';
import { isSecretName } from '../../secrets/index.js';

/** What lets somebody pay, or in, once. */
const codes =
  /\b(?:card ?(?:num(?:ber)?|no)|cc ?num(?:ber)?|cv[vc]2?|t?otp|[m2]fa|(?:security|verification|recovery|backup|one ?time) ?codes?)\b/i;

/** What a text is asked for by these words, in a name or in the prose of a title. */
const secrets =
  /\b(?:pass(?:words?|phrases?|codes?|wort)|(?:user|login)?(?: ?pw|pwd|pass)$|contraseña|mot de passe|secrets?|credentials?|(?:seed|key) ?phrase|mnemonic|ssn|social security|(?:api|access|private|signing|encryption) ?keys?|(?:api|access|auth\w*|bearer|refresh|session|security) ?tokens?)(?![\p{L}])/iu;

const mostParts = 10_000;

/**
 * Why a form must not be put to anybody: it asks for a password, a key, a token or a code, by the name, title or format
 * of a field anywhere in it. A server must use a page of its own for those (2025-11-25, Elicitation).
 */
export function formProblem(schema: JsonObject): string | undefined {
  const open: unknown[] = [schema];
  for (let parts = 0; open.length > 0; parts++) {
    const part = open.pop();
    if (parts > mostParts) return 'Its form is too large.';
    if (typeof part !== 'object' || part === null) continue;
    const properties = isObject(part) && isObject(part['properties']) ? part['properties'] : {};
    const secret = Object.entries(properties).find(([name, field]) =>
      asksForSecret(name, isObject(field) ? field : {}),
    );
    if (secret) {
      return `Its field ${quote(secret[0])} looks like a secret, and a server must not ask for secrets in a form (MCP, Elicitation).`;
    }
    for (const value of Object.values(part)) open.push(value);
  }
  return undefined;
}

/** What is chosen is known to the server, and so is no secret; a number may be a code, but hardly a password. */
function asksForSecret(name: string, { title, type, format, writeOnly, enum: choices, oneOf }: JsonObject): boolean {
  if (format === 'password' || writeOnly === true) return true;
  if (type === 'boolean' || choices !== undefined || oneOf !== undefined) return false;
  const isNumber = type === 'number' || type === 'integer';
  return [name, title].some((text) => {
    if (typeof text !== 'string') return false;
    const words = text
      .slice(0, 1000)
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/[_\W]+/gu, (gap) => (/[\p{L}]/u.test(gap) ? gap : ' '));
    return isSecretName(text) || codes.test(words) || (!isNumber && secrets.test(words));
  });
}
