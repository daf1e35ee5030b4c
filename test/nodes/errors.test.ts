import { type INode, NodeOperationError } from 'n8n-workflow';
import { expect, test } from 'vitest';
import {
  errorForEditor,
  errorForModel,
  errorForPicker,
  joined,
  nodeError,
  readable,
  SetupError,
} from '../../nodes/errors.js';
import { checkArguments, ConnectionError, ServerError, TimeoutError } from '../../src/internal.js';
import { readableText } from './context.js';
import table from './errors.json' with { type: 'json' };

const node: INode = { id: '1', name: 'MCP Verbatim', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };

class NodeError extends NodeOperationError {
  constructor(message: string, description: string) {
    super(node, message, { description });
  }
}

const classes = { ConnectionError, Error, NodeError, ServerError, SetupError, TimeoutError };

const inputSchema = {
  type: 'object',
  properties: { guests: { type: 'integer' }, note: { type: 'string' }, where: { $ref: '#/components/Where' } },
  additionalProperties: false,
};

/** An error of a class, the refusal of arguments, or what somebody threw. */
function errorOf(kind: string, given: unknown[]): unknown {
  if (kind === 'thrown') return given[0];
  if (kind in classes)
    return new (classes[kind as keyof typeof classes] as new (...given: unknown[]) => Error)(...given);
  try {
    return checkArguments({ name: 'book', inputSchema }, given[0]);
  } catch (error) {
    return error;
  }
}

test.each(table as unknown as [string, unknown[], object][])(
  'An error reads for a person, an editor, a picker, a model and a log as errors.json lists: %s %j',
  (kind, given, expected) => {
    const error = errorOf(kind, given);
    const shown = {
      person: readable(error),
      withoutRun: readable(error, { isRun: false }),
      node: nodeError(node, error, { itemIndex: 3 }),
      editor: errorForEditor(node, error, { itemIndex: 3 }),
      picker: errorForPicker(node, error),
      model: errorForModel(node, error, { itemIndex: 3 }),
      log: joined(error),
    };
    expect(readableText(shown)).toBe(readableText(expected));
  },
);
