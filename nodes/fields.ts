import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

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

/** The single options that a group was before version 1.2: nodes of those versions are shown as they were saved. */
export function ungroupedFields({ displayName, options = [] }: INodeProperties): INodeProperties[] {
  return options.flatMap((group) => ('values' in group ? group.values : [])).map(alone);

  function alone({ displayOptions: _displayOptions, ...field }: INodeProperties): INodeProperties {
    return { ...field, displayName: `${displayName}: ${field.displayName}` };
  }
}

export function toggle(displayName: string, name: string, standard: boolean, description: string): INodeProperties {
  return { displayName, name, type: 'boolean', default: standard, description };
}

export function numberField(
  displayName: string,
  name: string,
  standard: number,
  minValue: number,
  description: string,
): INodeProperties {
  return { displayName, name, type: 'number', typeOptions: { minValue }, default: standard, description };
}

export function jsonField(
  displayName: string,
  name: string,
  description: string,
  displayOptions?: IDisplayOptions,
): INodeProperties {
  return { displayName, name, type: 'json', default: '{}', description, ...(displayOptions && { displayOptions }) };
}

export type Choice = readonly [name: string, value: string, description?: string];

export function choiceField(
  displayName: string,
  name: string,
  standard: string,
  choices: readonly Choice[],
  description?: string,
  displayOptions?: IDisplayOptions,
): INodeProperties {
  return {
    displayName,
    name,
    type: 'options',
    options: choices.map(listed),
    default: standard,
    ...(description !== undefined && { description }),
    ...(displayOptions && { displayOptions }),
  };
}

export function listed([name, value, description]: Choice) {
  return { name, value, ...(description !== undefined && { description }) };
}

export function picker(
  displayName: string,
  name: string,
  searchListMethod: string,
  displayOptions: IDisplayOptions,
  byName: { displayName: string; name: string; placeholder: string },
): INodeProperties {
  return {
    displayName,
    name,
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    displayOptions,
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod, searchable: true, skipCredentialsCheckInRLC: true },
      },
      { ...byName, type: 'string' },
    ],
  };
}
