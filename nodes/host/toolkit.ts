import { isObject } from '../../src/json/index.js';
import { hostModule } from './modules.js';

export interface HostToolkit<T> {
  readonly tools: T[];
  getTools(): T[];
}

/**
 * Tools as n8n takes several of them from one node. It recognises a toolkit by `tools` and `getTools`; earlier versions
 * want an instance of a class, of n8n's own (seen in 2.20) or of LangChain's (in 1.123 and 2.0), and otherwise take the
 * toolkit for one nameless tool.
 *
 * @param Toolkit the class of this n8n
 */
export function hostToolkit<T>(tools: T[], Toolkit = toolkitClass()): HostToolkit<T> {
  const toolkit = { tools, getTools: () => tools };
  if (Toolkit !== undefined && !(toolkit instanceof Toolkit))
    Object.setPrototypeOf(toolkit, Toolkit.prototype as object); // a class's prototype is an object
  return toolkit;
}

type Class = abstract new () => unknown;

let found: { Toolkit: Class | undefined } | undefined;

function toolkitClass(): Class | undefined {
  return (found ??= { Toolkit: findClass() }).Toolkit;
}

function findClass(): Class | undefined {
  const Toolkit =
    exported('n8n-core', 'StructuredToolkit') ??
    exported('@langchain/classic/agents', 'Toolkit') ??
    exported('langchain/agents', 'Toolkit');
  return typeof Toolkit === 'function' ? (Toolkit as Class) : undefined; // both packages export it as a class
}

function exported(name: string, member: string): unknown {
  const module = hostModule(name);
  return isObject(module) ? module[member] : undefined;
}
