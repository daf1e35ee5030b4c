import type { WireTool } from '../../test-support/demo-server/tools.js';

/** The tool of the README's first screen: a reference, a recursion, an integer with a default. */
export const searchIssues: WireTool = {
  name: 'search_issues',
  description: 'Finds issues.',
  inputSchema: {
    type: 'object',
    properties: { limit: { type: 'integer', maximum: 500 }, filter: { $ref: '#/$defs/filter' } },
    $defs: {
      filter: {
        type: 'object',
        properties: { label: { type: 'string' }, not: { $ref: '#/$defs/filter' } },
        additionalProperties: false,
      },
    },
  },
};

/** Right in all but one type: models often write integers as strings. */
export const call = { limit: '100', filter: { not: { label: 'bug' } } };
