import { isObject, isText, listOf, pointerTokens, wordsOf } from '../../json/index.js';
import { compileSchema, hintsOfSchema, rootOf, type SchemaHints, valuesOf } from '../../schema/index.js';
import type { Place, RepairedTool, RepairOption } from '../options.js';
import { mentions, speaksOfClearing } from './descriptions.js';

/** The kinds of repair that may leave a refused property out: none if its absence may mean something. */
export function waysToLeaveOut(value: unknown, { hints, mayClear }: Place): readonly RepairOption[] {
  const listsNone = () =>
    hints.schemas().some((each) => listOf(valuesOf(each)).some((listed) => isText(listed) && noValue.test(listed)));
  if (!absentValues.has(value) || !hints.isDeclared || hints.once('none', listsNone)) return [];
  const isSameAsNull = hints.once('null by default', () => hints.schemas().some((each) => each['default'] === null));
  if (!isSameAsNull && mentions(hints, value === '' ? 'blank' : 'null')) return [];
  if (value === '') return isSameAsNull || !hints.acceptsNull() ? ['blanks'] : [];
  const meansNothing = !mayClear() && (isSameAsNull || !mentions(hints, 'clearing')) && !isNullAround(hints);
  return value === null && meansNothing ? ['nulls', 'allNulls'] : ['allNulls'];
}

const absentValues: ReadonlySet<unknown> = new Set([null, '', 'null', 'None']);

interface LikelyTool {
  readonly inputSchema?: unknown;
  readonly description?: unknown;
}

/** True if null for an argument is likely to mean that no value is given. For the advice in a refusal. */
export function mayBeLeftOut({ inputSchema, description }: LikelyTool, instanceLocation: string): boolean {
  if (!isObject(inputSchema) || (typeof description === 'string' && speaksOfClearing(description))) return false;
  const path = pointerTokens(instanceLocation).map((token) => (/^\d+$/.test(token) ? Number(token) : token));
  const hints = hintsOfSchema(rootOf(compileSchema(inputSchema))).within(path);
  return hints.isOptional() && !hints.acceptsNull() && !mentions(hints, 'null') && !mentions(hints, 'clearing');
}

/** True if a property, or one beside it, accepts null: then null may be a value there. */
function isNullAround({ acceptsNull, holder }: SchemaHints): boolean {
  const isBeside = () => [...(holder?.properties() ?? [])].some((name) => holder?.at(name).acceptsNull());
  return acceptsNull() || holder?.once('null beside', isBeside) === true;
}

const noValue = /^(?:none|null|nil|off|never|no|unset|empty|disabled|n\/?a)$/i;

/** True if null may tell the tool to clear something: by its description, its annotations or its name. */
export function mayClear({ name, description, annotations }: RepairedTool): boolean {
  if (typeof description === 'string' && speaksOfClearing(description)) return true;
  const { readOnlyHint, destructiveHint } = isObject(annotations) ? annotations : {};
  if (readOnlyHint === true) return false;
  // A tool that its server calls not read-only is destructive by default (MCP, Tool Annotations).
  return destructiveHint === true || (readOnlyHint === false && destructiveHint !== false) || changes(name);
}

/** Verbs in names of tools that change or remove data; those of six letters and more count within words, too. */
const verbs = new Set(
  (
    'update edit patch set modify change clear reset unset assign move replace upsert put save store write overwrite ' +
    'rewrite rename configure adjust amend revise alter mutate merge sync toggle enable disable switch convert transfer ' +
    'reassign unassign attach detach link unlink remove delete purge erase drop archive restore reschedule mark unmark ' +
    'pin unpin publish unpublish manage override transition close cancel revoke terminate stop kill destroy wipe flush ' +
    'empty prune truncate ban block trash expire evict discard rotate rollback revert undo disconnect cleanup clean ' +
    'execute exec run send pay refund deploy approve reject submit kick unsubscribe bulk batch apply shutdown reboot restart ' +
    'suspend deactivate uninstall release abort delist deny dismiss end finish finalize invalidate retire'
  ).split(' '),
);
const longVerbs = [...verbs].filter((verb) => verb.length >= 6);

function changes(name: string): boolean {
  return wordsOf(name).some((word) => verbs.has(word) || longVerbs.some((verb) => word.includes(verb)));
}
