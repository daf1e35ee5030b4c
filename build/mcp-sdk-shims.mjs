// Stands in for the _shims of @modelcontextprotocol/client and /server: without Ajv, which compiles schemas to code. No
// schema of a stranger may do that here; src/schema evaluates instead.
export { default as process } from 'node:process';
export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('Ajv is not part of this package.');
  }
}
