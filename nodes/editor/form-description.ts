import type { IDisplayOptions, INodeProperties, ResourceMapperField, ResourceMapperTypeOptions } from 'n8n-workflow';
import { credentialOf } from '../connection/parameters.js';

/**
 * A form that the node itself fills in while the workflow is being built (n8n's resource mapper). Nothing else in n8n's
 * editor begins with what a node gives it, so a single field of that kind is a form, too.
 */
export function form(
  displayName: string,
  name: string,
  method: string,
  fieldWord: string,
  displayOptions: IDisplayOptions,
): INodeProperties {
  const adding = { mode: 'add', valuesLabel: 'Values', addAllFields: true } as const;
  const empty = { mappingMode: 'defineBelow', value: null };
  const fieldWords = { singular: fieldWord, plural: `${fieldWord}s` };
  return { ...mapper(displayName, name, empty, method, ['tool.value'], fieldWords, adding), displayOptions };
}

export function onlyField(
  field: Pick<ResourceMapperField, 'id' | 'displayName' | 'type' | 'defaultValue'>,
): ResourceMapperField {
  return { ...field, required: true, display: true, defaultMatch: false, canBeUsedToMatch: false };
}

/**
 * A text in the node's panel that the node itself writes while the workflow is being built. In n8n's editor, only a
 * form without fields has such a text before a run; so this is a form, and never has any fields.
 */
export function notice(
  name: string,
  method: string,
  dependsOn: string[],
  about: string,
  displayOptions?: IDisplayOptions,
): INodeProperties {
  // The values that the editor would add, so that opening the panel changes nothing in the workflow.
  const kept = { matchingColumns: [], schema: [], attemptToConvertTypes: false, convertFieldsToString: false };
  const empty = { mappingMode: 'defineBelow', value: {}, ...kept };
  const words = { singular: about, plural: about };
  return {
    ...mapper('About', name, empty, method, dependsOn, words, { mode: 'map' }),
    ...(displayOptions && { displayOptions }),
  };
}

/**
 * A notice that is asked for again as soon as a credential is chosen, which is no parameter that it could depend on.
 * Whenever one is chosen, n8n's editor sets `server` (NodeCredentials.vue, onCredentialSelected) and takes back the
 * values of parameters that are shown for `server` and have options, unless they are one of these
 * (removeMismatchedOptionValues). No value of a notice is. So it returns to its default, which lacks a part that the
 * editor gives every form, and the notice depends on that part.
 *
 * Not beside a picker: the editor would lose what is chosen there, because it keeps lists by all other parameters.
 */
export function renewedWithCredential(notice: INodeProperties): INodeProperties {
  const { loadOptionsDependsOn = [], ...typeOptions } = notice.typeOptions ?? {};
  return {
    ...notice,
    default: { mappingMode: 'defineBelow', value: {} },
    options: [],
    typeOptions: {
      ...typeOptions,
      loadOptionsDependsOn: [...loadOptionsDependsOn, `${notice.name}.attemptToConvertTypes`],
    },
    displayOptions: { show: { server: Object.keys(credentialOf) } },
  };
}

function mapper(
  displayName: string,
  name: string,
  standard: INodeProperties['default'],
  resourceMapperMethod: string,
  loadOptionsDependsOn: string[],
  fieldWords: { singular: string; plural: string },
  more: Pick<ResourceMapperTypeOptions, 'mode' | 'valuesLabel' | 'addAllFields'>,
): INodeProperties {
  const resourceMapper = { resourceMapperMethod, fieldWords, supportAutoMap: false, ...more };
  const typeOptions = { loadOptionsDependsOn, resourceMapper };
  return { displayName, name, type: 'resourceMapper', noDataExpression: true, default: standard, typeOptions };
}
