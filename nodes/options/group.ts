import type { INodeProperties } from 'n8n-workflow';

/** The names of the options that hold several fields. */
export const groups = ['approval', 'checks', 'elicitation', 'repairing', 'search', 'sendAlong', 'timeLimits'] as const;

/** Fields that belong together as one option. One that means what an option meant before has its name. */
export function group(
  displayName: string,
  name: (typeof groups)[number],
  values: INodeProperties[],
  description: string,
): INodeProperties {
  return {
    displayName,
    name,
    type: 'fixedCollection',
    default: { values: {} },
    description,
    options: [{ displayName, name: 'values', values }],
  };
}
