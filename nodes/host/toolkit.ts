import { isObject } from '../../src/json/index.js';
import { hostModule } from './modules.js';

export interface HostToolkit<T> {
  readonly tools: T[];
  getTools(): T[];
}

/**
 * Tools as n8n takes several of them from one node. It recognises a toolkit by `tools` and `getTools`; early versions
 * (seen in 2.0) want an instance of LangChain's class instead, and otherwise take the toolkit for one nameless tool.
 */
export function hostToolkit<T>(tools: T[]): HostToolkit<T> {
  const toolkit = { tools, getTools: () => tools };
  const prototype = langchainPrototype();
  if (prototype !== undefined) Object.setPrototypeOf(toolkit, prototype);
  return toolkit;
}

let asked = false;
let found: object | undefined;

function langchainPrototype(): object | undefined {
  if (!asked) found = findPrototype();
  asked = true;
  return found;
}

function findPrototype(): object | undefined {
  if (exported('n8n-core', 'StructuredToolkit') !== undefined) return undefined;
  const Toolkit = exported('@langchain/classic/agents', 'Toolkit') ?? exported('langchain/agents', 'Toolkit');
  return typeof Toolkit === 'function' ? (Toolkit.prototype as object) : undefined; // a class's prototype is an object
}

function exported(name: string, member: string): unknown {
  const module = hostModule(name);
  return isObject(module) ? module[member] : undefined;
}
