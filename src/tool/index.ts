/** One callable tool: repaired, checked, called; and how models and people are told about it. */
export { callTool, InvalidResultError, type ToolOutcome } from './call.js';
export { checkArguments, type CheckedArguments, type ToolOptions } from './check.js';
export { exampleValue } from './example.js';
export { formArguments, FormValueError } from './form-arguments.js';
export {
  formFields,
  formLimits,
  type FormField,
  type FormFieldType,
  type FormOption,
  type FormOptions,
} from './form.js';
export { InvalidArgumentsError, type InvalidArgumentsReport, type ReportedViolation } from './invalid-arguments.js';
export { modelSchema } from './model-schema.js';
export { modelTools, type ModelTool, type ModelToolsOptions } from './model-tools.js';
export { resultText } from './result-text.js';
export { signature } from './signature.js';
export { providerNotes } from './providers/notes.js';
export type { Provider, ProviderNote } from './providers/provider.js';
export { providerSafeSchema } from './providers/safe-schema.js';
