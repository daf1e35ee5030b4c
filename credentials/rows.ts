import type { INodeProperties } from 'n8n-workflow';

/** A field of rows, each with a name and a value. */
export function nameValueRows(
  row: string,
  field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'displayOptions'>,
  { example, isSecret = true }: { example: string; isSecret?: boolean },
): INodeProperties {
  return {
    ...field,
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    placeholder: `Add ${row}`,
    default: {},
    options: [
      {
        displayName: row,
        name: 'values',
        values: [
          { displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: example },
          {
            displayName: 'Value',
            name: 'value',
            type: 'string',
            ...(isSecret && { typeOptions: { password: true } }),
            default: '',
          },
        ],
      },
    ],
  };
}
