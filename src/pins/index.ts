/** What was approved of a server, and what differs from it. */
export { approvedTools, type ApprovalOptions, type Approved, type WhenChanged } from './approval.js';
export { differencesInWords } from './in-words.js';
export { isPins, type PinFile, pinFileText, pinsOf, readPinFile } from './pin-file.js';
export { barePins, comparePins, type Pin, type PinDifference, type Pins, pinTools, serverIdentity } from './pins.js';
