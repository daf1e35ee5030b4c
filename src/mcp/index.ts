/** The protocol: connections, the verbatim catalogue, calls, sessions. */
export * from './transport/address.js';
export { readCatalogue } from './catalogue/catalogue.js';
export { invisibleIn } from './catalogue/notes.js';
export * from './catalogue/tool.js';
export * from './wire/wire-text.js';
export * from './session/connect.js';
export type { ClientTransport, SentText } from './transport/own-transport.js';
export * from './session/session.js';
export * from './errors/errors.js';
export * from './elicitation/elicitation.js';
export { unansweredLines } from './elicitation/elicitor.js';
export * from './elicitation/suspended-calls.js';
export * from './session/result.js';
export * from './authorization/programs.js';
export { isConfidential } from './http-client/private-network.js';
export { ownFetch } from './http-client/sdk-fetch.js';
export { warnProgram } from './runtime/node-runtime.js';
export * from './session/sdk-client.js';
export * from './session/session-pool.js';

// For src/serve, which sits between clients and servers.
export type { Origin, ServerRequest } from './connection/server-requests.js';
export { answerText, oneLine, readMessages } from './wire/envelope.js';
export type { AnswerText, Message, RequestId, WireText } from './wire/envelope.js';
export { isInterim } from './session/tasks.js';
export * from './wire/defined-members.js';
export { handshakeRevisions, statelessRevision } from './connection/negotiate.js';
export * from './session/pages.js';
export * from './runtime/timers.js';
export { nameSources, revisionKey } from './http/request-headers.js';
export type { HostOptions } from './session/live-connection.js';
export * from './wire/lines.js';
