/** The approved tools of a server, and how its tools differ from them. */
export {
  isUnapproved,
  onlyApproved,
  type ApprovalOptions,
  type ApprovedCatalogue,
  type WhenChanged,
} from './only-approved.js';
export { differencesInWords } from './differences.js';
export { isApprovedTools, type ApprovedFile, approvedFileText, approvedOf, readApprovedFile } from './approved-file.js';
export { approveTools, compareApproved, digestsOnly, serverIdentity } from './approved-tools.js';
export type { ApprovalDifference, ApprovedText, ApprovedTools } from './approved-tools.js';
