/** The approved tools of a server, and how its tools differ from them. */
export * from './only-approved.js';
export * from './differences.js';
export * from './approved-file.js';
export { approveTools, compareApproved, digestsOnly, serverIdentity } from './approved-tools.js';
export type { ApprovalDifference, ApprovedText, ApprovedTools } from './approved-tools.js';
