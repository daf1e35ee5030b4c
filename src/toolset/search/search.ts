import MiniSearch from 'minisearch';
import { WorkBudget } from '../../json/index.js';
import { declaredNames } from '../../schema/index.js';
import type { ModelTool } from '../../tool/index.js';

/**
 * An index over the names, titles, descriptions and argument names of tools. Words may be misspelt or only begun; names
 * are read as the words that they are made of. A server may write as much as it likes: of each tool and of all together
 * only the beginning is read.
 */
export function searchIn(tools: readonly ModelTool[]): (query: string, limit: number) => ModelTool[] {
  const { engine, words } = indexOf(tools);
  return (query, limit) =>
    engine
      .search(withCompounds(wordsIn(query), words).join(' '), {
        boost: { name: 4, title: 3, description: 1.5 },
        tokenize: (words) => words.split(' '),
        prefix: (term) => term.length > 2 || /[^\0-\u024f]/.test(term),
        fuzzy: (term) => (term.length > 3 ? 0.2 : false),
        maxFuzzy: 2,
      })
      .slice(0, limit)
      .flatMap(({ id }) => tools[id as number] ?? []); // the ids given below
}

function wordsIn(query: string): string[] {
  const words = wordsOf(query.slice(0, longestQuery), false).map((word) => word.toLowerCase());
  return [...new Set(words)].slice(0, mostWords);
}

/** The words of a query, and neighbours that tools write as one: "log work" asks for `worklog` too. */
function withCompounds(query: readonly string[], known: ReadonlySet<string>): string[] {
  const joined = query.slice(1).flatMap((word, at) => [`${query[at] ?? ''}${word}`, `${word}${query[at] ?? ''}`]);
  return [...new Set([...query, ...joined.filter((word) => known.has(word))])];
}

type Indexed = Record<Field, string> & { id: number };

function indexOf(tools: readonly ModelTool[]): { engine: MiniSearch<Indexed>; words: ReadonlySet<string> } {
  const share = Math.min(mostOfTool, Math.floor(mostOfAll / Math.max(1, tools.length)));
  const reading = new WorkBudget(readingLimits);
  const words = new Set<string>();
  const engine = new MiniSearch<Indexed>({
    fields: [...fields],
    tokenize: (text) => wordsOf(text),
    processTerm: (word) => {
      words.add(asTerm(word));
      return asTerm(word);
    },
    searchOptions: { processTerm: asTerm },
  });
  engine.addAll(tools.map((tool, id) => ({ id, ...textsOf(tool, share, reading) })));
  return { engine, words };
}

function asTerm(word: string): string {
  return word.toLowerCase().slice(0, longestWord);
}

const fields = ['name', 'title', 'description', 'arguments'] as const;
type Field = (typeof fields)[number];

/** Indexed characters of one tool, and of all; of a word, and of a query; words of a query. */
const mostOfTool = 4_000;
const mostOfAll = 4_000_000;
const longestWord = 40;
const longestQuery = 400;
const mostWords = 40;

/** The limit for finding the arguments of all tools, through references and alternatives. */
const readingLimits = { steps: 1_000_000, ms: 500 };

function textsOf(
  { name, description, schema, tool }: ModelTool,
  share: number,
  reading: WorkBudget,
): Record<Field, string> {
  const title = tool.title ?? tool.annotations?.['title'];
  const begun = (text: string) => text.slice(0, Math.floor(share / fields.length));
  return {
    name: begun(name === tool.name ? name : `${name} ${tool.name}`),
    title: begun(typeof title === 'string' ? title : ''),
    arguments: begun(declaredNames(schema, { root: schema, budget: reading }).slice(0, 100).join(' ')),
    description: begun(description),
  };
}

/**
 * The words of a text. `listIssues` counts as `list`, `Issues` and as a whole; `e-mail` as `e`, `mail` and `email`. In
 * scripts without spaces every two characters count as a word, so that any part of the text is found.
 *
 * @param ends true if the last character begins a word as well
 */
function wordsOf(text: string, ends = true): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}-]+/u).flatMap((all) =>
    all.split(unspaced).flatMap((word, at) => {
      if (at % 2 === 1) return pairsOf(Array.from(word), ends);
      const parts = word
        .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
        .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
        .split(/[ -]+/)
        .filter((part) => part !== '');
      return parts.length > 1 ? [...parts, word.replaceAll('-', '')] : parts;
    }),
  );
}

/** In parentheses, so that `split` keeps the separators. */
const unspaced = /([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+)/u;

function pairsOf(characters: readonly string[], ends: boolean): string[] {
  const pairs = characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
  return ends || pairs.length === 0 ? [...pairs, ...characters.slice(-1)] : pairs;
}
