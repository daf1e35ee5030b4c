import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { providerOfModel } from '../../src/projections/index.js';

/**
 * Models, by what tells their provider: families in every spelling and with every host, a vendor with any model, and a
 * host. Others are open weights without a known host, and unknown models. `null`: no rules.
 */
const known = JSON.parse(readFileSync(new URL('./providers-of-models.json', import.meta.url), 'utf8')) as Record<
  'families' | 'vendors' | 'hosts' | 'others',
  [provider: string | null, models: string, hosts: string][]
>;

test.each(Object.values(known).flat())(
  'The rules of %s apply to the models %j through %j',
  (provider, models, hosts) => {
    for (const model of models.split(' '))
      for (const host of hosts.split(' '))
        expect(providerOfModel({ model, host }), `${model} ${host}`).toBe(provider ?? undefined);
  },
);
