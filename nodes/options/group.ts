import type { INodeProperties } from 'n8n-workflow';

/** The names of the options that hold several fields. */
export const groups = ['approval', 'checks', 'elicitation', 'repairing', 'search', 'sendAlong', 'timeLimits'] as const;

/** Fields that belong together as one option. A field that means what an option meant before has its name. */
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

/**
 * A group as the options that its fields were before version 1.2, under names of one line. Nodes of those versions are
 * shown as they were saved.
 */
export function ungroupedFields({ displayName, options = [] }: INodeProperties): INodeProperties[] {
  return options.flatMap((group) => ('values' in group ? group.values : [])).map(alone);

  function alone({ displayOptions: _displayOptions, ...field }: INodeProperties): INodeProperties {
    return { ...field, displayName: `${displayName}: ${field.displayName}` };
  }
}
