import { defineKeyword } from '../keyword.js';

/** Stands in for a schema beyond the bound on the schemas of one tool. */
export const unavailable = defineKeyword<undefined>({
  name: '',
  compile: () => undefined,
  evaluate: ({ node }, _instance, run) => run.undetermined('schema-size', node),
});
