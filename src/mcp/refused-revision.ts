import { isObject } from '../json/index.js';
import { parseJson } from './parse-json.js';

/**
 * The protocol revisions that a server names when it refuses one. It should offer another one instead (2025-11-25,
 * Lifecycle: Version Negotiation), but the specification's own example of an error names them in `data.supported`.
 *
 * @param refusal the SDK's error: with the data of a JSON-RPC error, or with the text of an HTTP response that has one
 */
export function revisionsIn(refusal: unknown): readonly unknown[] {
  const { data } = refusal as { data?: unknown };
  const detail = isObject(data) && typeof data['text'] === 'string' ? errorData(parseJson(data['text'])) : data;
  return isObject(detail) && Array.isArray(detail['supported']) ? (detail['supported'] as unknown[]) : [];
}

function errorData(body: unknown): unknown {
  return isObject(body) && isObject(body['error']) ? body['error']['data'] : undefined;
}
