import { expect, test } from 'vitest';
import { credentialFor } from '../../nodes/connection/credential.js';
import type { RunContext } from '../../nodes/connection/execution.js';

test('A credential is read once for an item, however often an agent comes back to it', async () => {
  const n8n = host();
  const order = { json: { order: 1 } };
  const first = await credentialFor(n8n.context([order]), 'mcpVerbatimHttpApi', 0);
  // A context for each call, and about it another item at this place of the list.
  const second = await credentialFor(n8n.context([{ json: {} }, { json: order.json }]), 'mcpVerbatimHttpApi', 1);
  expect(second).toBe(first);
  expect(n8n.reads).toEqual(['mcpVerbatimHttpApi 0']);
});

test.each<[string, Partial<Difference>, string]>([
  ['another item, of which an expression in it may be', { items: [{ json: { order: 1 } }] }, 'mcpVerbatimHttpApi'],
  ['another node', { node: 'other' }, 'mcpVerbatimHttpApi'],
  ['another execution', { execution: '2' }, 'mcpVerbatimHttpApi'],
  ['another type', {}, 'mcpVerbatimStdioApi'],
])('It is read again for %s', async (_what, difference, type) => {
  const n8n = host();
  const items = [{ json: { order: 1 } }];
  await credentialFor(n8n.context(items), 'mcpVerbatimHttpApi', 0);
  await credentialFor(n8n.context(difference.items ?? items, difference), type, 0);
  expect(n8n.reads).toHaveLength(2);
});

test('Tokens that n8n renews are read each time, and so is what could not be read', async () => {
  const n8n = host();
  const context = n8n.context([{ json: {} }]);
  await credentialFor(context, 'mcpVerbatimOAuth2Api', 0);
  await credentialFor(context, 'mcpVerbatimOAuth2Api', 0);
  expect(n8n.reads).toHaveLength(2);

  n8n.fails = true;
  await expect(credentialFor(context, 'mcpVerbatimHttpApi', 0)).rejects.toThrow('locked');
  n8n.fails = false;
  await expect(credentialFor(context, 'mcpVerbatimHttpApi', 0)).resolves.toEqual({ url: 'read 4' });
});

test.each(['currentNodeUsedDynamicCredentials', 'currentNodeAttemptedDynamicCredentials'])(
  'One that n8n resolves for a user is read each time, with which n8n notes that it was used: %s',
  async (noted) => {
    const n8n = host();
    const items = [{ json: {} }];
    for (const expected of [1, 2, 3]) {
      // Forgotten between the runs of nodes.
      const additionalData: Record<string, boolean> = { [noted]: false };
      n8n.onRead = () => (additionalData[noted] = true);
      await credentialFor(n8n.context(items, { additionalData }), 'mcpVerbatimHttpApi', 0);
      expect([n8n.reads.length, additionalData[noted]]).toEqual([expected, true]);
    }
  },
);

interface Difference {
  additionalData?: Record<string, boolean>;
  items: { json: object }[];
  node: string;
  execution: string;
}

/** n8n, which gives a node a context for each of its runs. */
function host() {
  const reads: string[] = [];
  const state = { reads, fails: false, onRead: () => {}, context };
  return state;

  function context(
    items: { json: object }[],
    { node = 'node', execution = '1', additionalData = {} }: Partial<Difference> = {},
  ) {
    return {
      additionalData,
      connectionInputData: items,
      getExecutionId: () => execution,
      getNode: () => ({ id: node }),
      getCredentials: async (type: string, itemIndex: number) => {
        reads.push(`${type} ${itemIndex}`);
        state.onRead();
        if (state.fails) throw new Error('locked');
        return await Promise.resolve({ url: `read ${reads.length}` });
      },
    } as unknown as RunContext; // of its many methods those with which a credential is read
  }
}
