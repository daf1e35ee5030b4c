export { describeRepair } from './describe.js';
export { argumentsFromText } from './candidates/json-text.js';
export {
  defaultRepairs,
  type Repair,
  type RepairChoice,
  type RepairKind,
  type RepairOptions,
  type RepairPreset,
} from './options.js';
export { repairArguments, type RepairedArguments } from './repair.js';
