/** The protocol: connections, the verbatim catalogue, calls, sessions. */
export type * from './transport/address.js';
export { readCatalogue } from './catalogue/catalogue.js';
export { invisibleIn } from './catalogue/notes.js';
export * from './catalogue/tool.js';
export { differencesIn, type ToolText } from './wire/wire-text.js';
export { connect } from './session/connect.js';
export type { ClientTransport, SentText } from './transport/own-transport.js';
export { callOptions } from './session/session.js';
export * from './errors/errors.js';
export * from './elicitation/elicitation.js';
export { unansweredLines } from './elicitation/elicitor.js';
export { SuspendedCalls, type SuspendableCall } from './elicitation/suspended-calls.js';
export { blockJson, linesBeside, ReadResult, roundedNote } from './session/result.js';
export * from './authorization/programs.js';
export { isConfidential } from './http-client/private-network.js';
export { ownFetch } from './http-client/sdk-fetch.js';
export { warnProgram } from './runtime/node-runtime.js';
export type { ContentBlock, ToolResult } from './session/result.js';
export { isSdkClient, sessionOf, type SdkClient } from './session/sdk-client.js';
export * from './session/session-pool.js';
export type * from './session/session.js';

// For src/serve, which sits between clients and servers.
export { wireSlice } from './wire/wire-text.js';
export type { Origin, ServerRequest } from './connection/server-requests.js';
export { answerText, oneLine, readMessages } from './wire/envelope.js';
export type { AnswerText, Message, RequestId, WireText } from './wire/envelope.js';
export { definedParams, definedText } from './wire/defined-members.js';
export { handshakeRevisions, statelessRevision } from './connection/negotiate.js';
export { defaultListLimits, readAllPages } from './session/pages.js';
export { Deadline, unlessAborted } from './runtime/deadline.js';
export { pause, settlesWithin, unlimitedMs } from './runtime/timers.js';
export { nameSources, revisionKey } from './http/request-headers.js';
export { openSession, type HostSession } from './session/connect.js';
export type { HostOptions } from './session/live-connection.js';
export { lineSplitter } from './wire/lines.js';
