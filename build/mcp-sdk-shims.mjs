// Stands in for the _shims of @modelcontextprotocol/client and /server.
export { default as process } from 'node:process';
export { CORS_IS_POSSIBLE, DefaultJsonSchemaValidator } from './mcp-sdk-validator.mjs';
