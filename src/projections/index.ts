/** Projections of a schema for hosts. They are shown, and never validate in the original's place. */
export * from './forms/form-arguments.js';
export { typedJson, typedText } from './forms/typed-text.js';
export * from './forms/form.js';
export * from './comparison.js';
export { modelSchema, sentSchema } from './model-schema.js';
export { providerOfModel } from './providers/provider-of-model.js';
export {
  type Api,
  type Client,
  cutSchema,
  isLost,
  type Provider,
  mostUsedProviders,
  providers,
  tooManyTools,
  traitsOf,
} from './providers/provider.js';
export { providerNotes, table as ruleTable } from './providers/adapted.js';
export { withoutStrictMode } from './providers/openai.js';
export { hasReference } from './providers/rewrite.js';
export { exampleValue } from './reading/example.js';
export { shapeOf, signature } from './reading/signature.js';
export { toolModule, toolTypes } from './typescript/tool-types.js';
export * from './standard-schema.js';
