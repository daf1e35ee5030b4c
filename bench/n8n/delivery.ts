import type { ModelRequest } from '../../test-support/model/model.js';
import { fateOf } from '../../src/projections/index.js';
import { offersIn } from '../../test-support/n8n/offers.js';
import type { Offer } from '../../test-support/n8n/offers.js';
import type { WireTool } from './server.js';

/** The fates of a server's schemas on the way to the model. */
export interface Delivery {
  tools: {
    unchanged: number;
    /** Another text that asks the same of a value. */ equivalent: number;
    offered: number;
    all: number;
  };
  /** The bytes of the schemas' JSON text, in UTF-8: of those that arrived unchanged, and of all. */
  bytes: { unchanged: number; all: number };
}

/** @param told the request as the model's endpoint received it */
export function delivered(tools: readonly WireTool[], told: ModelRequest | undefined): Delivery {
  const offers = offersIn(told);
  const result: Delivery = {
    tools: { unchanged: 0, equivalent: 0, offered: 0, all: tools.length },
    bytes: { unchanged: 0, all: 0 },
  };
  for (const { name, inputSchema } of tools) {
    const wire = JSON.stringify(inputSchema); // as the server's JSON.stringify writes it
    const schema = offerOf(name, offers)?.schema;
    result.bytes.all += Buffer.byteLength(wire);
    if (schema === undefined) continue;
    result.tools.offered += 1;
    if (schema === wire) {
      result.tools.unchanged += 1;
      result.bytes.unchanged += Buffer.byteLength(wire);
    } else if (fateOf(inputSchema, JSON.parse(schema)) !== 'meaning') result.tools.equivalent += 1;
  }
  return result;
}

/** n8n's node puts its own name in front; the shortest fitting name must not be "web_search" if "search" is meant. */
function offerOf(tool: string, offers: readonly Offer[]): Offer | undefined {
  const fitting = offers.filter(({ name }) => name === tool || name.endsWith(`_${tool}`));
  return fitting.reduce<Offer | undefined>(
    (best, offer) => (best && best.name.length <= offer.name.length ? best : offer),
    undefined,
  );
}
