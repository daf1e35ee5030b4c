import { isObject, type JsonObject } from '../../json/index.js';
import { type GivenRule, inWords, type ProviderRule, ruleOf, without } from './provider.js';

/** The subset of JavaScript's regular expressions that an engine accepts. */
interface Engine {
  /** The escapes that it knows outside and inside `[...]`, and the openings of groups. */
  readonly outside: RegExp;
  readonly inside: RegExp;
  readonly group: RegExp;
  /** Parts that the engine spells differently. */
  readonly spelt?: readonly (readonly [RegExp, string])[];
  /** Characters that the engine accepts in `[...]` only with a backslash. */
  readonly special?: RegExp;
  /** True if the whole text has to match, and `^` and `$` appear nowhere else. */
  readonly isAnchored?: boolean;
}

const tokens =
  /\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\}|p\{[^}]*\}|k<\w+>|c[a-z]|\d+|[^])?|\(\?(?:<[=!]|[=!:>]|P?<\w+>|P=\w+\)|[a-z]+(?:-[a-z]+)?[:)])?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\{,|[^]/gi;
const quantifier = /^(?:[*+?]|\{\d)/;
const sets = /^\\[dws]$/i;

/** The pattern in the engine's syntax; undefined if it has none for it. */
function patternFor(pattern: string, engine: Engine): string | undefined {
  const { outside, inside, group, spelt = [], special, isAnchored = false } = engine;
  const all = [...pattern.matchAll(tokens)].map(([token]) =>
    spelt.reduce((text, [found, replacement]) => text.replace(found, replacement), token),
  );
  const written: string[] = [];
  const groups: boolean[] = [];
  let [closed, start, canRepeat] = [0, -1, false];
  let range = 'none' as 'none' | 'single' | 'set' | 'open' | 'escaped';
  for (const [index, token] of all.entries()) {
    const [next = ''] = all.slice(index + 1, index + 2);
    let own = token;
    if (start >= 0) {
      const isNegation = token === '^' && index === start + 1;
      if (token === ']' && (index === start + 1 || (index === start + 2 && all[index - 1] === '^'))) return undefined;
      if (token.startsWith('\\') && !inside.test(token)) return undefined;
      if (special?.test(token)) own = `\\${token}`;
      if (token === ']') start = -1;
      else if (token === '-' && (range === 'single' || range === 'set') && next !== ']') {
        // Beside a set of characters, the sign is a literal.
        const isLiteral = range === 'set' || sets.test(next);
        if (isLiteral) own = String.raw`\-`;
        range = isLiteral ? 'escaped' : 'open';
      } else if (!isNegation) {
        if (token === '-' && range === 'escaped') own = String.raw`\-`;
        range = range === 'open' || range === 'escaped' ? 'none' : sets.test(token) ? 'set' : 'single';
      }
      canRepeat = true;
    } else if (token === '[') [start, range] = [index, 'none'];
    else if (token.startsWith('\\')) {
      if (!outside.test(token) || (/^\\[1-9]/.test(token) && Number(token.slice(1)) > closed)) return undefined;
      canRepeat = !/^\\b$/i.test(token);
    } else if (token.startsWith('(')) {
      if (token !== '(' && !group.test(token)) return undefined;
      canRepeat = token.startsWith('(?P=');
      // Flags for the whole pattern come before it.
      if (!token.endsWith(')')) groups.push(token === '(' || /<\w/.test(token));
      else if (!canRepeat && index > 0) return undefined;
    } else if (token === ')') {
      const isCapturing = groups.pop();
      if (isCapturing === undefined) return undefined;
      if (isCapturing) closed++;
      canRepeat = true;
    } else if (quantifier.test(token)) {
      if (!canRepeat) return undefined;
      canRepeat = false;
    } else {
      if (token === '{,') own = String.raw`\{,`;
      const isEnd = token === '^' ? index === 0 : index === all.length - 1;
      if (isAnchored && (token === '^' || token === '$') && !isEnd) return undefined;
      canRepeat = !['^', '$', '|'].includes(token);
    }
    written.push(own);
  }
  if (start >= 0 || groups.length > 0) return undefined;
  return isAnchored && !(all.length > 1 && all[0] === '^' && all.at(-1) === '$') ? undefined : written.join('');
}

/** Outside `[...]` and escapes. */
function looksAround(pattern: string): boolean {
  return /\(\?<?[=!]/.test(pattern.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '.'));
}

const python: Engine = {
  outside: /^\\(?:[AbBdDsSwWZafnrtv]|\d+|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^a-zA-Z\d])$/,
  inside: /^\\(?:[bdDsSwWafnrtv]|[0-7]+|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^a-zA-Z\d])$/,
  group: /^\(\?(?:[:>]|P<\w+>|P=\w+\)|[aiLmsux]+(?:-[imsx]+)?[:)]|<?[=!])$/,
  spelt: [
    [/^\(\?<(?=\w+>$)/, '(?P<'],
    [/^\\k<(\w+)>$/, '(?P=$1)'],
  ],
};

const rust: Engine = {
  outside:
    /^\\(?:[AbBdDsSwWzafnrtv]|[1-9]\d*|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|k<\w+>|[^a-zA-Z\d])$/,
  inside: /^\\(?:[dDsSwWafnrtv]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|[^a-zA-Z\d])$/,
  group: /^\(\?(?:[:>]|P?<\w+>|P=\w+\)|[imsx]+(?:-[imsx]+)?[:)]|<?[=!])$/,
  spelt: [[/^\\0$/, String.raw`\x00`]],
  special: /^[[&~]$/,
};

const grammar: Engine = {
  outside: /^\\(?:[dDwWnrt]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^a-zA-Z\d])$/,
  inside: /^\\(?:[dDwWnrt]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^a-zA-Z\d])$/,
  group: /^\(\?:$/,
  isAnchored: true,
};

type Spell = (pattern: string) => string | undefined;

function membersOf({ patternProperties }: JsonObject): JsonObject {
  return isObject(patternProperties) ? patternProperties : {};
}

/** Rewrites patterns that an engine spells differently; others move into the description. */
function spelling(spell: Spell): Omit<GivenRule, 'evidence'> {
  const isFit = (pattern: string) => spell(pattern) === pattern;
  const respelt = (text: string) => spell(text) ?? text;
  return {
    faults(schema, { budget }) {
      const { pattern } = schema;
      const isFine = typeof pattern !== 'string' || (budget.consume(pattern.length >> 3) && isFit(pattern));
      const isOfFine = Object.keys(membersOf(schema)).every(isFit);
      return [...(isFine ? [] : ['pattern']), ...(isOfFine ? [] : ['patternProperties'])];
    },
    equal(schema) {
      const { pattern } = schema;
      const members = Object.entries(membersOf(schema)).map(([key, part]) => [respelt(key), part]);
      return {
        ...schema,
        ...(typeof pattern === 'string' && { pattern: respelt(pattern) }),
        ...(members.length > 0 && { patternProperties: Object.fromEntries(members) }),
      };
    },
    wider(schema) {
      const { pattern } = schema;
      const open = typeof pattern === 'string' && !isFit(pattern) ? inWords(schema, ['pattern']) : schema;
      if (Object.keys(membersOf(schema)).every(isFit)) return open;
      // Keywords that close the object would reject the properties that these patterns admit.
      return without(open, ['patternProperties', 'additionalProperties']);
    },
  };
}

const engine = (of: Engine) => spelling((pattern) => patternFor(pattern, of));

export const patternRules: readonly ProviderRule[] = [
  ruleOf('openai')('lookaround', 'rejects a pattern that looks around, such as "(?!x)"', {
    evidence:
      'reported: vercel/ai#21037, pydantic-ai#5508, cline#14019 (Azure), SmartBear#491; accepted by some of Chat Completions: shunt#488',
    ...spelling((pattern) => (looksAround(pattern) ? undefined : pattern)),
    equal: undefined,
  }),
  ruleOf('openai')('pattern-of-python', "rejects a pattern that Python's re does not compile", {
    ...engine(python),
    evidence: 'reported: litellm#40485, shunt#488, free-claude-code#1730, opencodex#4096',
  }),
  ruleOf('deepseek')('pattern-of-rust', "rejects a pattern that Rust's fancy-regex does not compile", {
    ...engine(rust),
    evidence: 'reported: zed#64386, README of hughescr/utraque',
  }),
  ruleOf('llama.cpp')('pattern-of-grammar', 'rejects, or misreads, a pattern that is not "^...$" of plain parts', {
    ...engine(grammar),
    evidence: 'documented: grammars/README.md of llama.cpp, kubernetes-mcp#758, openclaw#113562, email-mcp#58',
  }),
];
