import type { INodeProperties } from 'n8n-workflow';

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
