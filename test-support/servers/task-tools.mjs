// What the servers with tasks offer, in either version of the SDK: every tool runs as a task, and in no other way.
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

const pause = () => new Promise((resolve) => setTimeout(resolve, 250));

/** Runs a tool; `task` is told what becomes of it. Resolves when it is over. */
export async function callOf(name, task) {
  task.say('Begun');
  if (name === 'endless') return;
  if (name === 'gone') return task.cancel('The operator has stopped it.');
  await pause();
  if (name === 'broken') return task.fail({ code: -32603, message: 'The disk is full.' });
  task.say('Half done');
  const answer = name === 'asking' ? await task.ask(question) : await pause();
  const text = answer ? JSON.stringify(answer) : 'done';
  task.complete({ content: [{ type: 'text', text }], structuredContent: { n: 1 } });
}
