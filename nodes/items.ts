import type { IDataObject, INodeExecutionData, NodeOperationError } from 'n8n-workflow';

/**
 * What came from a server, as an item of n8n: a deep copy, because n8n and expressions may write into items while the
 * catalogue is frozen. Key order and unknown fields stay. Parsed from text again, so that no property can be lost on
 * the way, not even one called `__proto__`.
 */
export function toJson(value: object): IDataObject {
  return JSON.parse(JSON.stringify(value)) as IDataObject; // an object goes in, its JSON comes out
}

/**
 * An item that tells of an error. n8n sends it to the error output, where there is one, because it has no other keys
 * than these two; were the error itself attached, n8n would drop the description.
 */
export function errorItem({ message, description }: NodeOperationError, itemIndex: number): INodeExecutionData {
  const json = { error: message, ...(description ? { message: description } : {}) };
  return { json, pairedItem: { item: itemIndex } };
}
