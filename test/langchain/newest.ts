import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe as suite } from 'vitest';
import type * as Own from '../../src/langchain/index.js';
import { fetchedPackages } from '../../test-support/packages.js';

/** The packed package among the newest LangChain packages, as a user has them; see hosts/newest. */
export const host = fetchedPackages('test/langchain/hosts/newest');
export const describe = suite.skipIf(host === undefined);

/** Loads one of these packages; the types are the test's own. */
export function fromHost<Module = Record<string, unknown>>(name: string): Module {
  return createRequire(join(host!, 'package.json'))(name) as Module;
}

export const own = () => fromHost<typeof Own>('mcp-verbatim/langchain');

/** As far as it is used here. */
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

export const langchain = () => fromHost<LangChain>('langchain');

export const saying = (content: string) => ({ messages: [{ role: 'user', content }] });
