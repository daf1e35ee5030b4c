// Preloaded into n8n: its AI nodes, and packages that ask for their copy, find the Zod that ZOD4 names.
import Module from 'node:module';

const resolve = Module._resolveFilename;
const told = new Set();
Module._resolveFilename = function (request, parent, ...rest) {
  const [, asking] = /[/\\]@n8n[/\\]n8n-nodes-langchain[/\\](.*)/.exec(parent?.filename ?? '') ?? [];
  if (request !== 'zod' || asking === undefined) return resolve.call(this, request, parent, ...rest);
  if (!told.has(asking)) process.stdout.write(`Zod 4 for ${asking}\n`);
  told.add(asking);
  return resolve.call(this, process.env.ZOD4, parent, ...rest);
};
