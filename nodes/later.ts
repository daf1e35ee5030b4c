import type * as behaviours from './behaviour.js';

type Behaviour = typeof behaviours;

type Method<F> = F extends (context: infer C, ...rest: infer R) => infer Result
  ? (this: C, ...rest: R) => Result
  : never;

/**
 * A method that loads the library when it is first called. n8n loads every node's file at its start, so those files hold
 * only a description and methods like this one.
 */
export function later<Name extends keyof Behaviour>(name: Name): Method<Behaviour[Name]> {
  async function method(this: unknown, ...rest: unknown[]): Promise<unknown> {
    const behaviour = await import('./behaviour.js');
    const run = behaviour[name] as (...args: unknown[]) => unknown; // its own arguments come, by the type below
    return await run(this, ...rest);
  }
  return method as Method<Behaviour[Name]>;
}
