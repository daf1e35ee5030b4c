import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe as suite } from 'vitest';
import type * as Own from '../../src/langchain/index.js';
import { fetchedPackages } from '../../test-support/packages.js';

/** The packed package among the newest LangChain packages, as a user has them; see hosts/newest. */
export const host = fetchedPackages('test/langchain/hosts/newest');
export const describe = suite.skipIf(host === undefined);

/** Loads one of these packages. */
export function fromHost(name: string): Record<string, unknown> {
  return createRequire(join(host!, 'package.json'))(name) as Record<string, unknown>;
}

export const own = () => fromHost('mcp-verbatim/langchain') as typeof Own;

/** The part of LangChain that the tests use. */
export interface LangChain {
  createAgent(fields: object): {
    invoke(
      input: object,
      config?: object,
    ): Promise<{ messages: { type: string; status?: string; text: string }[]; __interrupt__?: unknown[] }>;
    stream(input: object, config: object): Promise<AsyncIterable<unknown>>;
  };
  createMiddleware(fields: object): object;
  FakeToolCallingModel: new (fields: object) => object;
  humanInTheLoopMiddleware(fields: object): object;
  providerToolSearchMiddleware(): object;
  toolRetryMiddleware(fields: object): object;
}

/** LangChain is not among this project's own packages, whose types would differ. */
export const langchain = () => fromHost('langchain') as unknown as LangChain;

export const saying = (content: string) => ({ messages: [{ role: 'user', content }] });
