import type { INodeProperties } from 'n8n-workflow';

/**
 * A text in the node's panel that the node itself writes, while the workflow is being built. Of all that n8n's editor
 * shows before a run, only a form without fields has such a text; so this is one, and never has any.
 *
 * @param method the name of the `resourceMapping` method that gives the text
 * @param dependsOn the parameters whose change asks for it anew
 */
export function notice(
  name: string,
  method: string,
  dependsOn: string[],
  words: string,
  more: Partial<INodeProperties> = {},
): INodeProperties {
  return {
    displayName: 'About',
    name,
    type: 'resourceMapper',
    noDataExpression: true,
    // What the editor makes of it, so that opening the panel changes nothing in the workflow.
    default: {
      mappingMode: 'defineBelow',
      value: {},
      matchingColumns: [],
      schema: [],
      attemptToConvertTypes: false,
      convertFieldsToString: false,
    },
    typeOptions: {
      loadOptionsDependsOn: dependsOn,
      resourceMapper: {
        resourceMapperMethod: method,
        mode: 'map',
        fieldWords: { singular: words, plural: words },
        supportAutoMap: false,
      },
    },
    ...more,
  };
}
