export { mayBeLeftOut } from './candidates/absence.js';
export { speaksOfClearing } from './candidates/descriptions.js';
export { describeRepair } from './describe.js';
export {
  defaultRepairs,
  onlyRepairs,
  type Repair,
  type RepairChoice,
  type RepairedTool,
  type RepairKind,
  type RepairOptions,
  type RepairPreset,
} from './options.js';
export { repairArguments, type RepairArgumentsOptions, type RepairedArguments } from './repair.js';
