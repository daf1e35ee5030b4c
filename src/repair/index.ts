export { mayBeLeftOut } from './candidates/absence.js';
export { describeRepair } from './describe.js';
export type { Repair, RepairChoice, RepairedTool, RepairKind, RepairOption } from './options.js';
export { checkRepairs, repairOptions } from './options.js';
export { repairArguments, type RepairArgumentsOptions, type RepairedArguments } from './repair.js';
