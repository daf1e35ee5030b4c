export { mayBeLeftOut } from './candidates/absence.js';
export { speaksOfClearing } from './candidates/descriptions.js';
export { describeRepair } from './describe.js';
export type { Repair, RepairChoice, RepairedTool, RepairKind, RepairOptions, RepairPreset } from './options.js';
export { defaultRepairs, onlyRepairs } from './options.js';
export { repairArguments, type RepairArgumentsOptions, type RepairedArguments } from './repair.js';
