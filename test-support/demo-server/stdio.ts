// The demo server over stdio: node --import tsx test-support/demo-server/stdio.ts
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createDemoServer } from './server.js';

void createDemoServer((call) => console.error(JSON.stringify(call))).connect(new StdioServerTransport());
