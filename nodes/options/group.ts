import type { INodeProperties } from 'n8n-workflow';

/** The names of the options that hold several fields. */
export const groups = ['approval', 'checks', 'elicitation', 'repairing', 'search', 'sendAlong', 'timeLimits'] as const;

/** Fields that belong together as one option. Each has the name that it had as an option of its own. */
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
