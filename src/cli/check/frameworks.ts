import type { Catalogue } from '../../internal.js';
import { walkSchemas } from '../../json/index.js';
import measured from './frameworks.json' with { type: 'json' };

/** What a framework makes of schemas, as it was measured over recorded servers (`npm run bench`). */
interface Framework {
  readonly name: string;
  /** Percent of all recorded tools whose schema reaches the model as it is. */
  readonly identical: number;
  /** Percent of them whose schema asks for something else, by additions too. */
  readonly changed: number;
  /** By keyword, percent of its uses in recorded tools that do not reach the model. */
  readonly lost: Readonly<Record<string, number>>;
}

/** How many recorded tools that was measured with. */
export const recordedTools = measured.tools;

/** What frameworks lose of the keywords that a server uses. Nobody's code is run for it. */
export function frameworksFor({ tools }: Catalogue): Framework[] {
  const used = new Set<string>();
  for (const { inputSchema } of tools)
    for (const { schema } of walkSchemas(inputSchema)) for (const keyword of Object.keys(schema)) used.add(keyword);
  return (measured.frameworks as readonly Framework[]).map(({ lost, ...framework }) => ({
    ...framework,
    lost: Object.fromEntries(Object.entries(lost).filter(([keyword]) => used.has(keyword))),
  }));
}

/** The keywords that fare worst, in words. */
export function inWords({ identical, changed, lost }: Framework): string {
  const worst = Object.entries(lost).slice(0, mostNamed);
  const more = Object.keys(lost).length - worst.length;
  const words = worst.map(([keyword, share]) => `${keyword} ${share} %`).join(', ');
  return `${identical} % as they were, ${changed} % with another meaning; loses ${words || 'none of these keywords'}${more > 0 ? `, ${more} more` : ''}`;
}

const mostNamed = 5;
