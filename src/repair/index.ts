export { describeRepair } from './describe.js';
export { defaultRepairs, type Repair, type RepairKind, type RepairOptions } from './options.js';
export { repairArguments, type RepairedArguments } from './repair.js';
export { permissiveSchema } from './permissive.js';
