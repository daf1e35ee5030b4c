import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';
import { isOutsideExecutions } from '../connection/execution.js';
import type { SessionOptions } from '../connection/session.js';
import { type CallOptions, defaultRepairs, type RepairChoice, type ToolOptions } from '../../src/index.js';

export interface NodeOptions {
  call: ToolOptions & CallOptions;
  session: SessionOptions;
  /** Only the sub-node has it: whether the model is told about arguments that do not fit, or the node fails. */
  invalidArguments: 'tell' | 'fail';
  prefix: string;
  /** Only the sub-node has it: whether the model is shown a projection of each schema that its provider takes. */
  providerSafe: boolean;
  raw: boolean;
}

/** What stands in the node's options, with the defaults of what was not touched. */
export function readOptions(context: IExecuteFunctions | ISupplyDataFunctions, itemIndex: number): NodeOptions {
  const options = context.getNodeParameter('options', itemIndex, {}) as Record<string, unknown>; // a collection parameter
  const timeoutMs = typeof options.timeout === 'number' && options.timeout > 0 ? options.timeout : 60_000;
  const signal = context.getExecutionCancelSignal();
  // Outside executions the node is a new one each time, and would never find its connection again.
  const keepAliveMs = isOutsideExecutions(context) ? 0 : Math.max(0, Number(options.keepAlive) || 0) * 1000;
  return {
    call: {
      repairs: repairs(options, context.getNode().typeVersion),
      assertFormats: options.assertFormats === true,
      whenUndetermined: options.whenUndetermined === 'allow' ? 'allow' : 'refuse',
      whenUnsatisfiable: options.whenUndetermined === 'allow' ? 'allow' : 'refuse',
      outputSchema:
        options.outputSchema === 'ignore' || options.outputSchema === 'fail' ? options.outputSchema : 'warn',
      timeoutMs,
      ...(signal ? { signal } : {}),
    },
    session: { timeoutMs, keepAliveMs },
    invalidArguments: options.invalidArguments === 'fail' ? 'fail' : 'tell',
    prefix: typeof options.prefix === 'string' ? options.prefix : '',
    providerSafe: options.providerSafe === true,
    raw: options.raw === true,
  };
}

function repairs({ repair, integers, repairs }: Record<string, unknown>, version: number): RepairChoice {
  if (repair === 'integers' || repair === 'safe' || repair === 'all' || repair === 'off') return repair;
  if (version > 1 && repair !== 'choose') return 'safe';
  // Workflows of the first version may have no `repair`: what they chose counts, and meant two kinds more.
  const more: unknown[] = Array.isArray(repairs) ? repairs : [];
  const isChosen = (kind: string) => more.includes(kind) || (version === 1 && more.includes(formerly[kind]));
  const chosen = Object.keys(defaultRepairs).map((kind) => [kind, isChosen(kind)] as const);
  return { ...Object.fromEntries(chosen), integers: integers !== false };
}

const formerly: Readonly<Record<string, string>> = { decimals: 'strings', blanks: 'nulls' };
