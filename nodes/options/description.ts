import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { Choice } from '../../credentials/fields.js';
import { choiceField, group, jsonField, listed, nameValueRows, numberField, toggle } from '../../credentials/fields.js';

export function optionCollection(
  options: INodeProperties[],
  show?: NonNullable<IDisplayOptions['show']>,
): INodeProperties {
  return {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    ...(show && { displayOptions: { show } }),
    options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
  };
}

const formats =
  'Whether to refuse values that are not in the format that a tool names for them, such as an email address';
export const checkFormats = toggle('Check Formats', 'checkFormats', false, formats);

const ofResults = 'What to do when a result does not have the form that the tool announces for it (its output schema)';
export const checkResults = choiceField('Check Results', 'checkResults', 'warn', ofResults, [
  ['Ignore', 'ignore', 'Do not check'],
  ['Warn', 'warn', 'Show a hint on the node'],
  ['Fail', 'fail', 'Treat the result as an error'],
]);

const unchecked =
  'What to do when arguments cannot be checked, for example because the schema of the tool refers to a part that does not exist';
export const uncheckableArguments = choiceField('Uncheckable Arguments', 'uncheckableArguments', 'refuse', unchecked, [
  ['Refuse', 'refuse', 'The tool is not called'],
  ['Allow', 'allow', 'The server decides'],
]);

export function checks(more: INodeProperties[] = []): INodeProperties {
  const each = [checkFormats, checkResults, ...more, uncheckableArguments];
  return group('Checks', 'checks', 'Additional checks, and what happens if one fails', each);
}

/** The values are those of the library's option `repairs`. */
const kindChoices: Choice[] = [
  ['Booleans', 'booleans', '"true" becomes true'],
  ['Booleans as Bits', 'bits', '0 and 1 become false and true'],
  ['Empty Texts', 'blanks', 'An empty text that is not allowed is left out'],
  ['Enum Spelling', 'enums', '"like new" becomes "Like New"'],
  ['Fractions as Strings', 'decimals', '1.5 becomes "1.5" if only text is accepted'],
  ['Integers', 'integers', '"100" becomes 100'],
  ['JSON in Strings', 'json', '"[1, 2]" becomes [1, 2]'],
  ['Lists of One', 'lists', '["a"] becomes "a" if a single value is expected'],
  ['Nulls', 'nulls', 'A null that is not allowed is left out if it cannot clear a value'],
  ['Nulls, All of Them', 'allNulls', 'A null that is not allowed is left out, even if it might clear a value'],
  ['Numbers', 'numbers', '"1.5" becomes 1.5'],
  ['Property Names', 'names', 'maxResults becomes max_results'],
  ['Single Values', 'singletons', '"a" becomes ["a"] if a list is expected'],
  ['Strings', 'strings', '25 becomes "25" if only text is accepted'],
  ['Values Between Commas', 'split', '"open,closed" becomes ["open", "closed"]'],
  ['Wrapped Arguments', 'wrappers', '{"arguments": {...}} becomes {...}'],
];

const unsafe = ['allNulls', 'bits', 'blanks', 'decimals', 'lists', 'singletons'];

const about = 'Which common slips to fix, such as "100" for 100. A value that fits the schema is never touched.';

export const repair = choiceField('Repair', 'repair', 'safe', about, [
  ['All', 'all', 'Every kind, even if it might change what is meant'],
  ['Choose', 'choose', 'The kinds chosen below'],
  ['Integers', 'integers', '"100" becomes 100'],
  ['Off', 'off', 'Arguments are checked but never changed'],
  ['Safe', 'safe', 'Every kind that changes only the notation of a value'],
]);

export const kinds: INodeProperties = {
  displayName: 'Kinds',
  name: 'kinds',
  type: 'multiOptions',
  options: kindChoices.map(listed),
  default: kindChoices.map(([, kind]) => kind).filter((kind) => !unsafe.includes(kind)),
  displayOptions: { show: { repair: ['choose'] } },
  description: 'Which common slips to fix. An expression can give words with commas: "safe,-nulls".',
};

export const repairs = group('Repairs', 'repairs', about, [repair, kinds]);

const forTheNext =
  'How many seconds an unused connection stays open for the next execution of this node. Without this option it closes when the execution ends, so executions never share a server session.';
export const keepConnection = numberField('Keep Connection (Seconds)', 'keepConnection', 300, 0, forTheNext);

const howToAnswer = 'How to answer. A request to open a web page is always declined, and the result names the page.';
export const answer = choiceField('Answer', 'answer', 'decline', howToAnswer, [
  ['Decline', 'decline', 'The server gets no answer, and the result quotes its question'],
  ['Use the Defaults', 'defaults', 'The default values of the form. A form without defaults is declined.'],
  ['Fixed Answers', 'fixed', 'The values under "Fixed Answers"'],
]);

const byField =
  'Answers by the names of the fields that a server asks for, such as {"confirm": true}. Fields without one get their default.';
export const fixedAnswers: INodeProperties = {
  ...jsonField('Fixed Answers', 'fixedAnswers', byField),
  displayOptions: { show: { answer: ['fixed'] } },
};

const asked = 'What to do when a server wants a value or a confirmation in the middle of a call';
export const whenServerAsks = group('When the Server Asks', 'whenServerAsks', asked, [answer, fixedAnswers]);

const silence = 'How many seconds the server may be silent. Progress that it reports starts the time again.';
export const idleTimeout = numberField('Idle Timeout', 'idleTimeout', 60, 1, silence);

const whole = 'How many seconds a call may take in all, whatever progress the server reports';
export const maximumDuration = numberField('Maximum Duration', 'maximumDuration', 3600, 1, whole);

const limits = 'How long the server may be silent (60 seconds), and how long a call may take in all (3,600 seconds)';
export const timeLimits = group('Time Limits (Seconds)', 'timeLimits', limits, [idleTimeout, maximumDuration]);

const headers = nameValueRows(
  'Header',
  {
    displayName: 'Headers',
    name: 'headers',
    description: 'HTTP headers of each call, beside those of the credential. Values can be expressions.',
  },
  { example: 'X-Request-ID', isSecret: false },
);

const asMeta = 'Sent with each call as _meta, for servers that read it, such as {"traceparent": "00-…"}';
export const metadata = jsonField('Metadata', 'metadata', asMeta);

const withEachCall = 'HTTP headers and metadata that are sent with each call';
export const sendAlong = group('Send Along', 'sendAlong', withEachCall, [headers, metadata]);

const asSent = 'Whether to return the result as the server sent it, instead of parsed JSON and binary data';
export const rawResult = toggle('Raw Result', 'rawResult', true, asSent);

export const connectionOptions = [keepConnection, timeLimits];

export const callOptions = [...connectionOptions, repairs, whenServerAsks, sendAlong];
