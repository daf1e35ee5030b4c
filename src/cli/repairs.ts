import { defaultRepairs, type RepairChoice, type RepairOptions, type RepairPreset } from '../internal.js';
import { names } from './command.js';
import { UsageError } from './exit.js';

const kinds = Object.keys(defaultRepairs) as (keyof RepairOptions)[]; // its own keys, by its type
const more = kinds.filter((kind) => kind !== 'integers').join(', ');

export const repairOptions = {
  repair: names(
    'KINDS',
    `what to repair: safe (the default), integers, all or off; or kinds in addition to integers: ${more}`,
  ),
};

const presets: readonly RepairPreset[] = ['integers', 'safe', 'all', 'off'];

export function wantedRepairs(repair: readonly string[]): RepairChoice | undefined {
  if (repair.length === 0) return undefined;
  const preset = presets.find((word) => repair.length === 1 && word === repair[0]);
  if (preset) return preset;
  const unknown = repair.find((kind) => !Object.hasOwn(defaultRepairs, kind));
  if (unknown !== undefined)
    throw new UsageError(
      `--repair does not know "${unknown}". It takes one of ${presets.join(', ')}, or some of ${kinds.join(', ')}.`,
    );
  return Object.fromEntries(kinds.map((kind) => [kind, kind === 'integers' || repair.includes(kind)]));
}
