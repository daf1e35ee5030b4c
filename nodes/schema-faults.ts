import { compileSchema, type Diagnostic } from '../src/internal.js';

/** What keeps arguments from being checked, such as a reference to nothing. */
export function schemaFaults(inputSchema: object): Diagnostic[] {
  return compileSchema(inputSchema).diagnostics.filter(({ severity }) => severity === 'error');
}
