// The same for runtimes without Node: nothing of `node:process` is used there.
export { CORS_IS_POSSIBLE, DefaultJsonSchemaValidator } from './mcp-sdk-validator.mjs';
export const process = {};
