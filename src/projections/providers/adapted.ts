import { type JsonObject, visibleLine, walkSchemas, WorkBudget } from '../../json/index.js';
import { compileSchema } from '../../schema/index.js';
import { anthropic, legalNames, withLegalNames } from './anthropic.js';
import { geminiSchema, google } from './google.js';
import { in2020, metaschema } from './metaschema.js';
import type { Api, Client, SchemaPlace, Provider, ProviderNote, ProviderRule } from './provider.js';
import { isLost, traitsOf } from './provider.js';
import { toDefinitions } from './references.js';
import { type Rewrite, type Rewritten, rewritten } from './rewrite.js';
import { openModels } from './open-models.js';
import { openai } from './openai.js';
import { patternRules } from './patterns.js';

/** The schema that a model is sent in place of another. */
export interface Adapted {
  /** The same object if it is sent unchanged. */
  readonly schema: JsonObject;
  /** Too large to be adapted: the model learns only that the arguments are an object. */
  readonly isCut: boolean;
  /** The replacements in this schema for rejected names of arguments. */
  readonly names: ReadonlyMap<string, string>;
}

const unchanged = { isCut: false, names: new Map<string, string>() };

/** Twice the steps that any published schema needs; the same on every machine. */
const mostSteps = 150_000;

const mostPasses = 3;

/** The rules for these models, asked by this client. */
function rulesOf(provider: Provider, api: Api | undefined, client?: Client): ProviderRule[] {
  const isTheirs = (of: ProviderRule['of']) =>
    of.includes(provider) || (api !== undefined && of.includes(`${provider}/${api}`));
  return ruleTable.filter((rule) => (rule.client === undefined || rule.client === client) && isTheirs(rule.of));
}

/**
 * The rules if nobody names the model, which most often belongs to OpenAI or Anthropic: all rules of these two, and
 * those of Gemini's that are certain and change no meaning.
 */
function commonRules(api: Api | undefined): ProviderRule[] {
  const certain = rulesOf('google', api).flatMap((rule): ProviderRule[] => {
    const { equal, wider, evidence, faults } = rule;
    if (!equal || wider || evidence.startsWith('reported once')) return [];
    const isMended = (schema: JsonObject, at: SchemaPlace) => faults(equal(schema, at), at).length === 0;
    return [{ ...rule, faults: (schema, at) => (isMended(schema, at) ? faults(schema, at) : []) }];
  });
  return [...new Set([...rulesOf('openai', api), ...rulesOf('anthropic', api), ...certain])];
}

/** @param provider undefined for a model that nobody named */
export function adapted(schema: JsonObject, provider: Provider | undefined, api?: Api, client?: Client): Adapted {
  const rules = provider === undefined ? commonRules(api) : rulesOf(provider, api, client);
  const acting = rules.filter((rule) => isLost(rule) || rule.equal || rule.wider);
  const budget = new WorkBudget({ steps: mostSteps, ms: Infinity });
  if (!hasFaults(schema, acting, budget)) return { schema, ...unchanged };
  const { description } = schema;
  const cut = {
    schema: { type: 'object', properties: {}, ...(typeof description === 'string' && { description }) },
    ...unchanged,
    isCut: true,
  };
  if (budget.exhausted) return cut;
  const { dialect } = compileSchema(schema);
  const rewrite = (root: JsonObject, how: Rewrite) => rewritten(root, { root, budget }, how).schema;
  let mended = rewrite(toDefinitions(schema, budget), in2020(dialect));
  // The result of one rule may break another.
  for (let pass = 0; pass < mostPasses; pass++) {
    const next = rewrite(mended, mending(acting));
    if (next === mended) break;
    mended = next;
  }
  const isGemini = provider === 'google' && hasFaults(mended, acting, budget);
  const whole = isGemini ? geminiSchema(mended, budget) : mended;
  const names = acting.some(({ id }) => id === 'property-name') ? legalNames(whole) : unchanged.names;
  const result = names.size > 0 ? withLegalNames(whole, names) : whole;
  if (hasFaults(result, acting, budget)) return cut;
  return { schema: result, isCut: false, names };
}

function mending(rules: readonly ProviderRule[]): Rewrite {
  return (schema, at) =>
    rules.reduce<Rewritten>(
      (sent, { faults, equal, wider }) => {
        if (faults(sent.schema, at).length === 0) return sent;
        const same = equal ? { ...sent, schema: equal(sent.schema, at) } : sent;
        if (!wider || faults(same.schema, at).length === 0) return same;
        return { schema: wider(same.schema, at), isWider: true };
      },
      { schema, isWider: false },
    );
}

function hasFaults(root: JsonObject, rules: readonly ProviderRule[], budget: WorkBudget): boolean {
  for (const { schema, keyword, depth } of walkSchemas(root, Infinity)) {
    if (!budget.consume(1 + (Object.keys(schema).length >> 3))) return true;
    const at = { root, keyword, depth, budget };
    if (rules.some(({ faults }) => faults(schema, at).length > 0)) return true;
  }
  return false;
}

/**
 * The known effects of a provider, and of the client that asks it, on a tool's schema. Changes nothing: it is for a
 * warning before the run.
 */
export function providerNotes(
  tool: { readonly inputSchema: JsonObject; readonly description?: unknown },
  provider: Provider,
  api?: Api,
  client?: Client,
): ProviderNote[] {
  // A root without a type never reaches anybody so: see `modelSchema`.
  const root = { type: 'object', ...tool.inputSchema };
  const budget = new WorkBudget({ steps: mostSteps, ms: Infinity });
  const rules = rulesOf(provider, api, client);
  const found = new Map<string, ProviderNote>();
  for (const { schema, keyword, depth, location } of walkSchemas(root)) {
    if (!budget.consume(1 + (Object.keys(schema).length >> 3)) || found.size === mostNotes) break;
    for (const rule of rules) {
      for (const fault of rule.faults(schema, { root, keyword, depth, budget, description: tool.description })) {
        const isNamed = fault === '' || rule.about.includes(`"${fault}"`);
        const message = visibleLine(`${traitsOf(provider).label} ${rule.about}${isNamed ? '' : `: ${fault}`}.`);
        const schemaLocation = fault === '' ? location : `${location}/${fault}`;
        const { id: code, effect } = rule;
        const key = `${code}/${fault}`;
        if (!found.has(key) && found.size < mostNotes) found.set(key, { effect, code, message, schemaLocation });
      }
    }
  }
  return [...found.values()];
}

const mostNotes = 100;

/** Every rule, in the order in which they are applied. */
export const ruleTable = [metaschema, ...patternRules, ...openModels, ...google, ...openai, ...anthropic];
