/** Projections of a schema for hosts. They are shown, and never validate in the original's place. */
export { formArguments, type FormArgumentsOptions, formArgumentsText, FormValueError } from './forms/form-arguments.js';
export { typedJson, typedText } from './forms/typed-text.js';
export type { FormField, FormFieldType, FormOption, FormOptions } from './forms/form.js';
export { formFields, formLimits } from './forms/form.js';
export { type Fate, fateOf, fateOfTexts, heldExactly } from './comparison.js';
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
export { providerNotes } from './providers/adapted.js';
export { withoutStrictMode } from './providers/strict-mode.js';
export { hasReference } from './providers/rewrite.js';
export { table as ruleTable } from './providers/table.js';
export { exampleValue } from './reading/example.js';
export { shapeOf, signature } from './reading/signature.js';
export { toolModule, toolTypes } from './typescript/tool-types.js';
export { standardSchema, type StandardSchemaOptions, type StandardToolSchema } from './standard-schema.js';
