import type { Icon, IDisplayOptions, INodeProperties } from 'n8n-workflow';

export const icon: Icon = {
  light: 'file:../nodes/McpVerbatim/mcpVerbatim.svg',
  dark: 'file:../nodes/McpVerbatim/mcpVerbatim.dark.svg',
};

/** An option that groups several fields. */
export function group(
  displayName: string,
  name: string,
  description: string,
  values: INodeProperties[],
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

export function textField(
  displayName: string,
  name: string,
  placeholder: string,
  description: string,
): INodeProperties {
  return { displayName, name, type: 'string', default: '', placeholder, description };
}

export function urlField(displayName: string, name: string): INodeProperties {
  const description = 'The URL of the MCP server that the MCP Verbatim nodes connect to';
  return { ...textField(displayName, name, 'https://example.com/mcp', description), required: true };
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

export function jsonField(displayName: string, name: string, description: string): INodeProperties {
  return { displayName, name, type: 'json', default: '{}', description };
}

export type Choice<Value extends string = string> = readonly [name: string, value: Value, description?: string];

/** The type of `default` lists every value of the field (see `choiceIn`). */
export type ChoiceField<Value extends string> = Omit<INodeProperties, 'default'> & { default: Value };

export function choiceField<const Value extends string>(
  displayName: string,
  name: string,
  standard: NoInfer<Value>,
  description: string,
  choices: readonly Choice<Value>[],
): ChoiceField<Value> {
  return { displayName, name, type: 'options', default: standard, description, options: choices.map(listed) };
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

type RowsField = Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'displayOptions'>;

export function rowsOf(row: string, field: RowsField, values: INodeProperties[]): INodeProperties {
  return {
    ...field,
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    placeholder: `Add ${row}`,
    default: {},
    options: [{ displayName: row, name: 'values', values }],
  };
}

export function nameValueRows(
  row: string,
  field: RowsField,
  { example, isSecret = true }: { example: string; isSecret?: boolean },
): INodeProperties {
  const value: INodeProperties = { displayName: 'Value', name: 'value', type: 'string', default: '' };
  return rowsOf(row, field, [
    { displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: example },
    { ...value, ...(isSecret && { typeOptions: { password: true } }) },
  ]);
}

export const transport = choiceField('Transport', 'transport', 'http', '', [
  ['Streamable HTTP', 'http', 'Used by current servers'],
  ['HTTP + SSE (Deprecated)', 'sse', 'For old servers, whose URL often ends in /sse'],
]);

export const authentication = choiceField('Authentication', 'authentication', 'none', '', [
  ['None', 'none'],
  ['Bearer Token', 'bearer'],
  ['Headers', 'headers'],
]);
