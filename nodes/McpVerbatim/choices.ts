import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** What can be done with a resource of the node; listing by default. */
export function operations(resource: string, options: INodePropertyOptions[]): INodeProperties {
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: 'list',
  };
}

/** A field that chooses one thing of the server, from its list or by name. */
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
