import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import type { ApprovalDifference, ApprovedTools, Catalogue, ServerAddress, Session } from '../../../src/internal.js';
import { approveTools, compareApproved, digestsOnly, isApprovedTools } from '../../../src/internal.js';
import { counted, jsonText, parseJson } from '../../../src/json/index.js';
import { type Server, withEditorSession } from '../../connection/session.js';
import { choiceAnswer, type ForEditor, textOfValue } from '../../editor/gate.js';
import { errorForPicker, SetupError } from '../../errors.js';
import { invisibleNotes, invisibleOfServer } from '../../hints.js';
import { approvedIn, optionsOf } from '../../options/read.js';
import { limited } from '../../text.js';

/** @throws SetupError if the option holds something else than an approval */
export function approvalFrom(approved: unknown): ApprovedTools | undefined {
  if (approved === undefined) return undefined;
  const before = readApproval(approved);
  if (before) return before;
  const message = approved === '' ? 'No tools are approved yet' : '"Approved Tools" holds no approval';
  throw new SetupError(message, approveAdvice);
}

function readApproval(value: unknown): ApprovedTools | undefined {
  const approved = typeof value === 'string' ? parseJson(textOfValue(value)) : value;
  return isApprovedTools(approved) ? approved : undefined;
}

export const approveAdvice =
  'Under "Approved Tools", choose "Approve What the Server Has Now". Without that option, tools need no approval.';

export async function approvalChoices(context: ILoadOptionsFunctions): Promise<ForEditor<INodePropertyOptions[]>> {
  const stored = storedApproval(context);
  const before = readApproval(stored);
  const value = textOfValue(String(stored));
  const asBefore = { name: `As Approved Before (${counted(Object.keys(before?.tools ?? {}).length, 'tool')})`, value };
  const listNow = async (session: Session, { address }: Server): Promise<INodePropertyOptions[]> => {
    const catalogue = await session.listTools();
    const count = counted(catalogue.tools.length, 'tool');
    if (!before) return [approveNow(catalogue, address, count)];
    const differences = compareApproved(before, catalogue, address);
    if (differences.length === 0) return [{ name: `What the Server Has Now, Approved (${count})`, value }];
    return [approveNow(catalogue, address, count), { ...asBefore, description: differenceText(differences) }];
  };
  const choices = await withEditorSession(context, listNow, { isNew: true }).catch((error: unknown) => {
    if (before) return [asBefore];
    throw errorForPicker(context.getNode(), error);
  });
  return choiceAnswer([{ name: 'Nothing Yet', value: '' }, ...choices]);
}

function approveNow(catalogue: Catalogue, address: ServerAddress, count: string): INodePropertyOptions {
  const unseen = [...invisibleOfServer(catalogue), ...catalogue.tools.flatMap(invisibleNotes)];
  return {
    name: `Approve What the Server Has Now (${count})`,
    value: jsonText(digestsOnly(approveTools(catalogue, address))),
    ...(unseen.length > 0 && { description: limited(unseen, 5).join(' ') }),
  };
}

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

/** Undefined if the option was not added. */
export function storedApproval(context: ILoadOptionsFunctions): unknown {
  return approvedIn(optionsOf(context.getNodeParameter('options', {})));
}
