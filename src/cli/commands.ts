import type { Command } from './command.js';

/** The commands of the overview. A command's file exports it under its name, and is loaded when the command is used. */
export const commands: Readonly<Record<string, readonly [summary: string, load: () => Promise<object>]>> = {
  list: ['list the tools of a server', () => import('./commands/list.js')],
  show: ['show one tool with its schema', () => import('./commands/show.js')],
  check: ['check the tools of a server', () => import('./commands/check.js')],
  approve: ['write the tools of a server to a file, as approved', () => import('./commands/approve.js')],
  diff: ['show what differs from the approved tools', () => import('./commands/approve.js')],
  call: ['call a tool', () => import('./commands/call.js')],
  types: ['write TypeScript types of the tools of a server', () => import('./commands/types.js')],
  resources: ['list the resources of a server', () => import('./commands/resources.js')],
  read: ['show a resource', () => import('./commands/resources.js')],
  prompts: ['list the prompts of a server', () => import('./commands/prompts.js')],
  prompt: ['show the messages of a prompt', () => import('./commands/prompts.js')],
  login: ['sign in to a server', () => import('./commands/login.js')],
  logout: ['forget the sign-in to a server', () => import('./commands/login.js')],
  serve: ['run an MCP server in front of other servers', () => import('./commands/serve.js')],
  observe: ['show what a framework sends to the model', () => import('./commands/observe.js')],
};

export async function loadCommand(name: string | undefined): Promise<Command | undefined> {
  if (name === undefined || !Object.hasOwn(commands, name)) return undefined;
  const file = (await commands[name]?.[1]()) as Readonly<Record<string, Command>>; // of those it has this one
  return file[name];
}
