import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { Choice } from '../../credentials/fields.js';
import { choiceField, group, jsonField, numberField, rowsOf, textField, toggle } from '../../credentials/fields.js';
import { callOptions, checks, optionCollection } from './description.js';

const onExpressions =
  'Choose from the list, or specify names using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

const fromTools = { loadOptionsMethod: 'getTools', loadOptionsDependsOn: ['server'] };

export function namedTools(
  displayName: string,
  name: string,
  show: NonNullable<IDisplayOptions['show']>,
  description = onExpressions,
): INodeProperties {
  const displayOptions = { show };
  return { displayName, name, type: 'multiOptions', typeOptions: fromTools, default: [], displayOptions, description };
}

const stops: Choice<'fail'> = ['Fail', 'fail', 'The workflow stops with an error'];

const onInvalid = "What to do when the model's arguments do not fit the schema, even after repairs";
export const invalidArguments = choiceField('Invalid Arguments', 'invalidArguments', 'showWhy', onInvalid, [
  ['Show the Model Why', 'showWhy', 'The model reads what does not fit and can try again'],
  stops,
]);

const approvedPath = 'options.approvedTools.values.approved';

export const approved: INodeProperties = {
  displayName: 'Approved',
  name: 'approved',
  type: 'options',
  typeOptions: { loadOptionsMethod: 'getApprovals', loadOptionsDependsOn: ['server', approvedPath] },
  default: '',
  description:
    'Only the tools that you approve can be used, as they are now. New tools are skipped until you approve again. Choose from the list.',
};

const changed = 'What to do with tools that have changed since they were approved';
export const ifChanged = {
  ...choiceField('If They Have Changed', 'ifChanged', 'skip', changed, [
    stops,
    ['Skip', 'skip', 'The agent does not get them'],
    ['Warn', 'warn', 'The agent uses them, and the node shows a hint'],
  ]),
  displayOptions: { hide: { approved: [''] } },
};

const asTheyWere = 'Only tools that you approved can be used, as they were then';
export const approvedTools = group('Approved Tools', 'approvedTools', asTheyWere, [approved, ifChanged]);

const searching = 'Whether the model searches for tools instead of seeing all of them';
export const mode = choiceField('Mode', 'mode', 'auto', searching, [
  ['Off', 'off', 'The model sees every tool'],
  ['Automatic', 'auto', 'On if all tools would take more than 5,000 tokens'],
  ['On', 'on', 'The model sees three tools, with which it searches, describes and calls the others'],
]);

const always = `Tools that the model sees without a search. ${onExpressions}.`;
export const alwaysExpose = namedTools('Always Expose', 'alwaysExpose', { mode: ['auto', 'on'] }, always);

export const toolSearch = group('Tool Search', 'toolSearch', searching, [mode, alwaysExpose]);

export const oneTool: INodeProperties = {
  displayName: 'Tool',
  name: 'tool',
  type: 'options',
  typeOptions: fromTools,
  default: '',
  description: onExpressions,
};

export const fixedArguments = rowsOf(
  'Argument',
  {
    displayName: 'Fixed Arguments',
    name: 'fixedArguments',
    description:
      'Arguments that the model neither sees nor sets, such as the number of a customer. The node fills them in.',
  },
  [
    oneTool,
    textField('Argument', 'argument', 'tenant', ''),
    textField('Value', 'value', '', 'Read as a number, a boolean or JSON if the argument does not take text'),
  ],
);

const whereRefused =
  "Whether to change how a tool's arguments are described to the model if its provider is known to reject the original. Calls are still checked by the original.";
export const adaptSchemas = toggle('Adapt Schemas to the Model', 'adaptSchemas', true, whereRefused);

const unreachable = 'What to do when the server cannot be reached while the agent asks for its tools';
export const ifUnreachable = choiceField('If the Server Is Unreachable', 'ifUnreachable', 'goOn', unreachable, [
  stops,
  ['Go On Without It', 'goOn', 'The model reads that the tools of this server are not available'],
]);

const cut =
  'How many characters of a result the model reads, including the note that the rest is missing. JSON that is cut stays valid JSON. The whole result is a file in the output of the node. Without this option, there is no limit.';
export const maxResultLength = numberField('Maximum Result Length (Characters)', 'maxResultLength', 20000, 200, cut);

const inOneMore = "Whether the model reads the server's own advice on its tools, as the description of one more tool";
export const showInstructions = toggle("Show the Server's Instructions", 'showInstructions', true, inOneMore);

const inFront =
  'Added in front of every tool name that the model sees: crm gives crm_search. The server still gets its own names.';
export const toolNamePrefix = textField('Tool Name Prefix', 'toolNamePrefix', 'crm', inFront);

export const stepArguments = jsonField('Arguments (JSON)', 'arguments', 'The arguments as one JSON object');

const inEditor =
  'The call that "Execute step" makes in the editor, instead of listing the tools. Agents do not see it.';
export const step = group('Execute Step', 'executeStep', inEditor, [oneTool, stepArguments]);

/** Options that the notice about the tools depends on. For a group, n8n's editor notices only that it is added. */
export const noticedOptions = [
  ...['options.adaptSchemas', 'options.showInstructions', 'options.toolSearch', 'options.toolSearch.values.mode'],
  ...['options.approvedTools', approvedPath],
];

export const toolOptions = optionCollection([
  ...callOptions,
  checks([invalidArguments]),
  adaptSchemas,
  approvedTools,
  step,
  fixedArguments,
  ifUnreachable,
  maxResultLength,
  showInstructions,
  toolNamePrefix,
  toolSearch,
]);
