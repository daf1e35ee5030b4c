/** What was approved of a server, and what differs from it. */
export { onlyApproved, type ApprovalOptions, type ApprovedCatalogue, type WhenChanged } from './only-approved.js';
export { differencesInWords } from './differences.js';
export { isApprovedTools, type ApprovedFile, approvedFileText, approvedOf, readApprovedFile } from './approved-file.js';
export {
  digestsOnly,
  compareApproved,
  type ApprovedText,
  type ApprovalDifference,
  type ApprovedTools,
  approveTools,
  serverIdentity,
} from './approved-tools.js';
