import type { Command } from './command.js';

/** The commands of the overview. A command's file exports it under its name, and is loaded when the command is used. */
export const commands: Readonly<Record<string, { readonly summary: string; readonly file: () => Promise<object> }>> = {
  list: { summary: 'list the tools of a server', file: () => import('./commands/list.js') },
  show: { summary: 'show one tool with its schema', file: () => import('./commands/show.js') },
  check: { summary: 'check the tools of a server', file: () => import('./commands/check.js') },
  approve: {
    summary: 'write the tools of a server to a file, as approved',
    file: () => import('./commands/approve.js'),
  },
  diff: { summary: 'show what differs from the approved tools', file: () => import('./commands/approve.js') },
  call: { summary: 'call a tool', file: () => import('./commands/call.js') },
  types: { summary: 'write TypeScript types of the tools of a server', file: () => import('./commands/types.js') },
  resources: { summary: 'list the resources of a server', file: () => import('./commands/resources.js') },
  read: { summary: 'show a resource', file: () => import('./commands/resources.js') },
  prompts: { summary: 'list the prompts of a server', file: () => import('./commands/prompts.js') },
  prompt: { summary: 'show the messages of a prompt', file: () => import('./commands/prompts.js') },
  login: { summary: 'sign in to a server', file: () => import('./commands/login.js') },
  logout: { summary: 'forget the sign-in to a server', file: () => import('./commands/login.js') },
  serve: { summary: 'run an MCP server in front of other servers', file: () => import('./commands/serve.js') },
  observe: { summary: 'show what a framework sends to the model', file: () => import('./commands/observe.js') },
};

export async function loadCommand(name: string | undefined): Promise<Command | undefined> {
  if (name === undefined || !Object.hasOwn(commands, name)) return undefined;
  const file = (await commands[name]?.file()) as Readonly<Record<string, Command>>; // of those it has this one
  return file[name];
}
