import { saveOption } from './call.js';
import { flag, type Given, type Usage } from './option.js';
import { serverOptions } from './server.js';

export const resources = {
  summary: "the server's resources, and the templates of their addresses",
  about: `The server's resources: address, name, type, description; then the templates of addresses (RFC 6570), which
read takes with their variables filled in. Piped, it is one line per resource, its fields separated by tabs, the word
template behind those of a template; with several servers their names come first.`,
  options: { ...serverOptions, json: flag('the resources and templates as the server has them') },
  examples: ['resources -- npx -y @modelcontextprotocol/server-everything'],
} satisfies Usage;

export const read = {
  summary: 'what a resource holds',
  operands: [{ form: 'URI', needed: 'the address of a resource' }],
  about: `What a resource holds: texts as they are; of images and other files their type and size, unless they are
saved.`,
  options: { ...serverOptions, ...saveOption, json: flag('the contents as the server has them') },
  examples: ['read file:///notes/today.md --config mcp.json --server notes'],
} satisfies Usage;

export type ResourcesGiven = Given<typeof resources>;
export type ReadGiven = Given<typeof read>;
