import { type ILoadOptionsFunctions, type INodePropertyOptions, NodeOperationError } from 'n8n-workflow';
import {
  type ApprovedCatalogue,
  onlyApproved,
  digestsOnly,
  type Catalogue,
  compareApproved,
  isApprovedTools,
  type ApprovalDifference,
  type ApprovedTools,
  approveTools,
  type ServerAddress,
  type Session,
} from '../../../src/internal.js';
import { counted, jsonText, parseJson } from '../../../src/json/index.js';
import type { RunContext } from '../../connection/execution.js';
import { withEditorSession } from '../../connection/session.js';
import { choiceAnswer, type ForEditor, textOfValue } from '../../editor/gate.js';
import { errorForPicker } from '../../errors.js';
import { invisibleNotes, invisibleOfServer } from '../../hints.js';
import { type OfferOptions, ungrouped } from '../../options/read.js';
import { limited } from '../../text.js';
import { isChosen, selectionOf } from './selection.js';

/**
 * The tools as far as they were approved in the node; all, where nothing was. Tools that the node does not choose anyway
 * may be what they like.
 *
 * @throws McpError where something differs and the node is to fail
 */
export function approvedIn(
  context: RunContext,
  itemIndex: number,
  catalogue: Catalogue,
  address: ServerAddress,
  { approved, whenChanged, instructions: tellsInstructions }: OfferOptions,
): ApprovedCatalogue {
  if (approved === '') return { catalogue, differences: [] };
  const before = readApproval(approved);
  if (!before) {
    const description = 'Choose "Approve What the Server Offers Now" again.';
    throw new NodeOperationError(context.getNode(), '"Approved Tools" holds no approval', { description, itemIndex });
  }
  const selection = selectionOf(context, itemIndex);
  const matters = (name: string) => isChosen(selection, catalogue, name);
  return onlyApproved(catalogue, before, { address, whenChanged, matters, tellsInstructions });
}

function readApproval(value: unknown): ApprovedTools | undefined {
  const before = typeof value === 'string' ? parseJson(textOfValue(value)) : value;
  return isApprovedTools(before) ? before : undefined;
}

/** What to choose for *Approved Tools*: the digests of now are the value of the choice. */
export async function approvalChoices(context: ILoadOptionsFunctions): Promise<ForEditor<INodePropertyOptions[]>> {
  return choiceAnswer(await approvals(context));
}

async function approvals(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const stored = storedApproval(context);
  const before = readApproval(stored);
  try {
    const listed = async (session: Session, address: ServerAddress) => {
      const catalogue = await session.listTools();
      const count = counted(catalogue.tools.length, 'tool');
      const differences = before ? compareApproved(before, catalogue, address) : [];
      if (before && differences.length === 0)
        return [all, { name: `What the Server Offers Now, Approved (${count})`, value: textOfValue(String(stored)) }];
      const now = jsonText(digestsOnly(approveTools(catalogue, address)));
      const unseen = [...invisibleOfServer(catalogue), ...catalogue.tools.flatMap(invisibleNotes)];
      const approve = {
        name: `Approve What the Server Offers Now (${count})`,
        value: now,
        ...(unseen.length > 0 && { description: limited(unseen, 5).join(' ') }),
      };
      if (!before) return [all, approve];
      return [all, approve, { ...approvedBefore(before, stored), description: differenceText(differences) }];
    };
    return await withEditorSession(context, listed, { isNew: true });
  } catch (error) {
    if (before) return [all, approvedBefore(before, stored)];
    throw errorForPicker(context.getNode(), error);
  }
}

const all: INodePropertyOptions = {
  name: 'Whatever the Server Offers',
  value: '',
  description: 'Tools may change without anybody being asked',
};

function approvedBefore({ tools }: ApprovedTools, stored: unknown): INodePropertyOptions {
  return {
    name: `As Approved Before (${counted(Object.keys(tools).length, 'tool')})`,
    value: textOfValue(String(stored)),
  };
}

/** What was approved in the node and differs, for its panel. */
export function differencesInPanel(
  context: ILoadOptionsFunctions,
  catalogue: Catalogue,
  address: ServerAddress,
): ApprovalDifference[] {
  const before = readApproval(storedApproval(context));
  return before ? compareApproved(before, catalogue, address) : [];
}

export function differenceText(differences: readonly ApprovalDifference[]): string {
  const messages = differences.map(({ message }) => message);
  return limited(messages, 5).join(' ');
}

function storedApproval(context: ILoadOptionsFunctions): unknown {
  return ungrouped(context.getNodeParameter('options', {}))['approved'];
}
