import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Session } from '../../src/internal.js';
import type { NodeOptions } from '../options/read.js';

/** What an operation needs to answer one input item. */
export interface OperationInput {
  context: IExecuteFunctions;
  session: Session;
  itemIndex: number;
  options: NodeOptions;
}

/** An operation answers one input item with any number of items; item linking is added here, for all of them. */
export type Operation = (input: OperationInput) => Promise<INodeExecutionData[]>;
