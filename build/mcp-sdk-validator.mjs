// The SDK without Ajv, which compiles schemas to code. No schema of a stranger may do that here; src/schema evaluates
// instead.
export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('Ajv is not part of this package.');
  }
}
