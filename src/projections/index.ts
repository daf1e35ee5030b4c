/** Projections of a schema for hosts. They are shown, and never validate in the original's place. */
export * from './forms/form-arguments.js';
export * from './forms/form-value-error.js';
export * from './forms/typed-text.js';
export * from './forms/form.js';
export * from './compared-texts.js';
export * from './comparison.js';
export * from './model-schema.js';
export * from './providers/provider-of-model.js';
export * from './providers/provider.js';
export * from './providers/adapted.js';
export * from './providers/openai.js';
export * from './providers/rewrite.js';
export * from './reading/example.js';
export * from './reading/signature.js';
export * from './typescript/tool-types.js';
export * from './standard-schema.js';
