// Runs in its own process with a heap of 300 MB: prints the units of work that each function takes for each hostile
// schema.
import { createRequire } from 'node:module';
import type * as zod from 'zod';
import type * as zod4 from 'zod4';
import * as lib from '../../src/internal.js';
import { fits } from '../../src/json/index.js';
import { fateOf, shapeOf, toolTypes } from '../../src/projections/index.js';
import { schemaFacade, type Zod } from '../../src/projections/zod/index.js';
import { startReading } from '../../src/schema/index.js';
import { unitsOf } from '../../test-support/measured.js';
import { hostileSchemas } from '../../test-support/schemas/hostile.js';

const require = createRequire(import.meta.url);
const { z } = require('zod') as typeof zod;
const { z: z4 } = require('zod4') as typeof zod4;

type Schema = Record<string, unknown>;

/** Fits some of the schemas in part, and none completely. */
const args = { p1: 'a', p2: '1', a: [{ p1: 1, kind: 'x' }], P3: null };

const catalogueWith = (inputSchema: Schema) => lib.readCatalogue([{ name: 'tool', inputSchema }]);

/** A refusal counts as an answer. */
function unlessRefused(task: () => unknown): unknown {
  try {
    return task();
  } catch (error) {
    const refusals = ['FixedArgumentsError', 'FormValueError', 'InvalidArgumentsError'];
    if (error instanceof Error && refusals.includes(error.constructor.name)) return error.message;
    throw error;
  }
}

/** Every measured function, with its other inputs ready. */
const projections: Record<string, (schema: Schema) => () => unknown> = {
  signature: (schema) => () => lib.signature({ inputSchema: schema }),
  shapeOf: (schema) => () => shapeOf(schema, startReading(schema), 800),
  formFields: (schema) => () => lib.formFields({ inputSchema: schema }),
  formLimits: (schema) => () => lib.formLimits({ inputSchema: schema }, { limit: 100 }),
  exampleValue: (schema) => () => lib.exampleValue({ inputSchema: schema }),
  findingsIn: (schema) => () => lib.findingsIn(catalogueWith(schema), ['openai', 'anthropic', 'google', 'cohere']),
  checkArguments: (inputSchema) => () =>
    unlessRefused(() => lib.checkArguments({ name: 'tool', inputSchema }, args, { repairs: 'all' })),
  startToolSearch: (schema) => () => {
    const discovery = lib.startToolSearch(lib.modelTools(catalogueWith(schema).tools), { mode: 'on' });
    return discovery?.find('value of p1').map(({ name }) => discovery.answer('describe_tools', { names: [name] }));
  },
  schemaWithout: (schema) => () => lib.schemaWithout(schema, ['p1', 'a']),
  refuseUndeclared: (inputSchema) => () =>
    unlessRefused(() => lib.refuseUndeclared({ name: 'tool', inputSchema }, ['p1', 'q'])),
  fixedForTool: (inputSchema) => () =>
    unlessRefused(() => lib.fixedForTool({ name: 'tool', inputSchema }, { p1: '1' })),
  formArgumentsText: (schema) => () => {
    const fields = lib.formFields({ inputSchema: schema }, { limit: 100 });
    return unlessRefused(() =>
      lib.formArgumentsText(fields, Object.fromEntries(fields.map(({ name }) => [name, '1']))),
    );
  },
  typedJson: (schema) => () => lib.typedJson(new Map(Object.entries({ p1: '1', a: '[1]' })), schema),
  approvedFileText: (schema) => () =>
    lib.readApprovedFile(lib.approvedFileText({ server: lib.approveTools(catalogueWith(schema)) })),
  compareApproved: (schema) => {
    const approved = lib.approveTools(catalogueWith(schema));
    return () => lib.compareApproved(approved, catalogueWith({ ...schema, title: 'x' }));
  },
  onlyApproved: (schema) => {
    const approved = lib.approveTools(catalogueWith(schema));
    return () => lib.onlyApproved(catalogueWith(schema), approved);
  },
  undeclaredMembers: (schema) => () => lib.undeclaredMembers(schema, args),
  toolTypes: (schema) => () => toolTypes([{ name: 'tool', inputSchema: schema }]),
  hasReference: (schema) => () => lib.hasReference(schema),
  withoutStrictMode: (schema) => () => lib.withoutStrictMode(schema),
  fateOf: (schema) => () => fateOf(schema, { ...schema, title: 'x' }),
  'Zod 3': (schema) => () => Object.keys(schemaFacade(schema, { z })),
  'Zod 4': (schema) => () => schemaFacade(schema, { z: z4 as unknown as Zod }), // the facade uses members that both have
};
// Other providers have fewer rules.
for (const provider of ['openai', 'anthropic', 'google', 'groq', 'deepseek', 'moonshot', 'llama.cpp'] as const)
  projections[`sentSchema ${provider}`] = (schema) => () => lib.sentSchema(schema, provider);

const schemas = Object.entries(hostileSchemas);
const all = Object.keys(projections);
/** All pairs take two minutes: CI measures them, and a run at hand takes one projection of a large schema. */
const every = process.env['CI'] ? 1 : all.length;
for (const [at, [schema, value]] of schemas.entries()) {
  const step = fits(value, 1_000) ? 1 : every;
  for (const projection of all.filter((_, index) => (at + index) % step === 0)) {
    let units = 0;
    let thrown: string | undefined;
    try {
      units = unitsOf(projections[projection]!(value));
    } catch (error) {
      thrown = String(error);
    }
    process.stdout.write(`${JSON.stringify({ schema, projection, units, thrown })}\n`);
  }
}
