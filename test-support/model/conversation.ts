import type { ChatRequest } from './model.js';
import { call, offered, steps } from './script.js';
import type { Script } from './script.js';

export const tool = 'find_relatives';

/** The person's question, in the words that the workflow's agents get. */
export const question =
  'Who in family group 123e4567-e89b-12d3-a456-426614174000 is at least 30? At most 100, trace abc.';

/** The model's call, correct except for two integers as strings, which models often send. */
export const slips = {
  queries: [{ group: '123e4567-e89b-12d3-a456-426614174000', ageMin: '30' }],
  limit: '100',
  'x-trace': 'abc',
};

/** The second try of a model that was shown a wrapper: it uses the wrapper exactly, and makes no slips. */
export const wrapped = {
  value: { queries: [{ group: '123e4567-e89b-12d3-a456-426614174000', ageMin: 30 }], limit: 100, 'x-trace': 'abc' },
};

/**
 * The demo's model. It makes its call; if that failed and its schema has a wrapper, it uses the wrapper; then it
 * reports.
 */
export const conversation: Script = steps(
  call(tool, slips),
  (request) => (wasToldOfWrapper(request) ? call(tool, wrapped)(request) : conclude(request)),
  (request) => conclude(request),
);

function wasToldOfWrapper(request: ChatRequest): boolean {
  const name = offered(request, tool);
  const told = request.tools?.find((one) => one.function.name === name)?.function.parameters;
  const properties = (told as { properties?: object } | undefined)?.properties ?? {}; // only read, whatever it is
  return Object.keys(properties).join() === 'value';
}

function conclude(request: ChatRequest): { text: string } {
  const answers = request.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  return { text: answers.at(-1)?.includes('done.') ? 'The search worked.' : 'The search did not work.' };
}
