/** What is derived from a schema for a host: it is shown, and never validates in the original's stead. */
export { formArguments, FormValueError } from './forms/form-arguments.js';
export {
  formFields,
  formLimits,
  type FormField,
  type FormFieldType,
  type FormOption,
  type FormOptions,
} from './forms/form.js';
export { typedText } from './forms/typed-text.js';
export { type Fate, fateOf, fateOfTexts, heldExactly } from './comparison.js';
export { modelSchema } from './model-schema.js';
export { acceptedSchema } from './providers/accepted-schema.js';
export { providerNotes } from './providers/notes.js';
export { type NamedModel, providerOfModel } from './providers/provider-of-model.js';
export type { Provider, ProviderNote } from './providers/provider.js';
export { providerSafeSchema } from './providers/safe-schema.js';
export { exampleValue } from './reading/example.js';
export { signature } from './reading/signature.js';
export { standardSchema, type StandardSchemaOptions, type StandardToolSchema } from './standard-schema.js';
