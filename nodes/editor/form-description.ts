import type { IDisplayOptions, INodeProperties, ResourceMapperField, ResourceMapperTypeOptions } from 'n8n-workflow';
import { credentialOf } from '../connection/parameters.js';

/**
 * A form whose fields the node supplies in the editor (n8n's resource mapper). No other parameter of n8n can begin with a
 * value from the node, so a single field with such a value is a form as well.
 */
export function form(
  displayName: string,
  name: string,
  method: string,
  fieldWord: string,
  displayOptions: IDisplayOptions,
): INodeProperties {
  const valuesLabel = fieldWord === 'argument' ? 'Argument Values' : 'Values';
  const adding = { mode: 'add', valuesLabel, addAllFields: true } as const;
  const empty = { mappingMode: 'defineBelow', value: null };
  const fieldWords = { singular: fieldWord, plural: `${fieldWord}s` };
  return { ...mapper(displayName, name, empty, method, ['tool.value'], fieldWords, adding), displayOptions };
}

export function onlyField(
  field: Pick<ResourceMapperField, 'id' | 'displayName' | 'type' | 'defaultValue'>,
): ResourceMapperField {
  return { ...field, required: true, display: true, defaultMatch: false, canBeUsedToMatch: false };
}

export const noticeName = 'about';

/**
 * A warning that the node writes into its panel. Before a run, n8n's editor shows such a text only in a form without fields:
 * a notice is a form that never has fields.
 */
export function notice(
  method: string,
  dependsOn: string[],
  about: string,
  displayOptions?: IDisplayOptions,
  name = noticeName,
): INodeProperties {
  // The editor adds these members: with them, opening the panel changes nothing in the workflow.
  const kept = { matchingColumns: [], schema: [], attemptToConvertTypes: false, convertFieldsToString: false };
  const empty = { mappingMode: 'defineBelow', value: {}, ...kept };
  const words = { singular: about, plural: about };
  return {
    ...mapper('About', name, empty, method, dependsOn, words, { mode: 'map' }),
    ...(displayOptions && { displayOptions }),
  };
}

/**
 * A notice that is loaded again when a credential is chosen. A credential is no parameter, so no notice can depend on it.
 * But n8n's editor then sets `server` (NodeCredentials.vue, onCredentialSelected) and resets parameters that are shown for
 * `server` and whose value is none of their options (removeMismatchedOptionValues). A notice's value never is. Its default
 * lacks a member that the editor gives every form, and the notice depends on that member.
 *
 * Do not use it beside a picker: the editor keeps lists by all other parameters, and would lose the choice.
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
