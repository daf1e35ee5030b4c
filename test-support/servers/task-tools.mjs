// The tools of the servers with tasks, in either version of the SDK. Every tool runs as a task, and in no other way.
const execution = { taskSupport: 'required' };
const inputSchema = { type: 'object' };

export const taskTools = [
  { name: 'report', description: 'Says two things on its way, and ends well', inputSchema, execution },
  { name: 'asking', description: 'Asks for a name in the middle', inputSchema, execution },
  { name: 'broken', description: 'Ends in an error of the protocol', inputSchema, execution },
  { name: 'gone', description: 'Is cancelled by the server', inputSchema, execution },
  { name: 'endless', description: 'Never ends', inputSchema, execution },
];

const question = {
  method: 'elicitation/create',
  params: {
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
};

/** The number of times that a client has read each state of a task, and the callers that wait for it. */
const given = new Map();
const waiting = new Map();
const stateOf = (taskId, statusMessage) => `${taskId} ${statusMessage}`;

/** Call it with each state of a task that a client reads. */
export function told({ taskId, statusMessage }) {
  const state = stateOf(taskId, statusMessage);
  const times = (given.get(state) ?? 0) + 1;
  given.set(state, times);
  if (times > 1) waiting.get(state)?.();
}

/**
 * Resolves once the client has polled again after that state, so it has handled it: on a slow machine it polls rarely.
 */
function known({ taskId }, statusMessage) {
  return new Promise((resolve) => waiting.set(stateOf(taskId, statusMessage), resolve));
}

/** Runs a tool and reports its states to `task`. Resolves at its end. */
export async function callOf(name, task) {
  task.say('Begun');
  if (name === 'endless') return;
  if (name === 'gone') return task.cancel('The operator has stopped it.');
  await known(task, 'Begun');
  if (name === 'broken') return task.fail({ code: -32603, message: 'The disk is full.' });
  task.say('Half done');
  const answer = name === 'asking' ? await task.ask(question) : await known(task, 'Half done');
  const text = answer ? JSON.stringify(answer) : 'done';
  task.complete({ content: [{ type: 'text', text }], structuredContent: { n: 1 } });
}
