import { version } from '../../package.json';
import type { CommandName } from './arguments.js';
import type { Terminal } from './terminal/terminal.js';

export { version };

const general = `mcp-verbatim: the tools of an MCP server, as the server wrote them

Usage
  mcp-verbatim COMMAND [options] SERVER

Commands
  list              the server's tools: name, arguments, what is odd
  show TOOL         one tool: its schema as a tree, its annotations
  check             what a server's author could do better, and what providers would lose or refuse
  pin               approve what the server offers now: writes it to a file
  diff              what it offers differently from what was approved
  call TOOL [JSON]  call a tool; slips in the arguments are repaired, the rest is refused with reasons
  serve             an MCP server in front of it, for clients that you cannot change
  wrap FILE         a client's configuration with all its servers behind serve

Server
  -- COMMAND ARGS…  start it and speak over stdio; no shell is involved
  --url URL         streamable HTTP, with SSE as the fallback; the NAME of a variable is read from the environment
  --config FILE     an mcp.json ("mcpServers"); in a terminal mcp.json, .mcp.json, .vscode/mcp.json or
                    .cursor/mcp.json of this folder is found without it, and you are asked before it is used
  --server NAME     one server of that file
  --header "N: v"   for --url, may be repeated; \${NAME} is read from the environment; with a name alone, the
                    variable of that name: AUTHORIZATION for --header Authorization; or --header X-Key=VARIABLE
  --env N=v         for -- COMMAND, may be repeated; \${NAME} likewise, and a name alone
  --sse             for --url: use the older SSE transport
  --timeout SECONDS per request, 60 if not given

Output
  --json            for programs; the server's own JSON
  --no-color        no colours (NO_COLOR does the same); none anyway when piped
  --help, --version mcp-verbatim COMMAND --help has the options of a command

Exit codes
  0 done   1 check or diff found something, or the tool reported an error   2 wrong usage
  3 the arguments do not satisfy the schema   4 the server failed   130 interrupted

Examples
  mcp-verbatim list -- npx -y @modelcontextprotocol/server-everything
  mcp-verbatim show get-sum -- npx -y @modelcontextprotocol/server-everything
  mcp-verbatim call get-sum '{"a": 1, "b": 2}' -- npx -y @modelcontextprotocol/server-everything
  mcp-verbatim check --url https://example.com/mcp --header 'Authorization: Bearer \${TOKEN}'
  mcp-verbatim list --config mcp.json --server github --json | jq '.[].name'`;

const topics: Record<CommandName, string> = {
  list: `mcp-verbatim list [options] SERVER

The tools that the server offers, with a compact signature and what is odd about them, then those that cannot be
called, with the reason. Piped, it is one line per tool: name, signature, notes, separated by tabs; with several
servers their names come first.

  --json            the tool objects exactly as the server wrote them
  --schema TOOL     only the input schema of TOOL, exactly as the server wrote it
  --tokens          about how many tokens it takes to tell a model of each tool, and of all (characters / 4)

Examples
  mcp-verbatim list -- npx -y @modelcontextprotocol/server-everything
  mcp-verbatim list --url https://example.com/mcp --json > tools.json
  mcp-verbatim list --schema search -- node server.js | jq .properties`,
  show: `mcp-verbatim show TOOL [options] SERVER

The tool's arguments as a tree: types, bounds, defaults, descriptions; referenced definitions are listed below,
each once. Then the output schema and what the server says of the tool's effects.

  --json            the whole tool object exactly as the server wrote it

Example
  mcp-verbatim show create_issue --config mcp.json --server github`,
  check: `mcp-verbatim check [options] SERVER

What a server's author could do better, by rules that each have a page in docs/rules: schemas that do not say what they
mean, missing types and descriptions, characters that nobody sees, what it costs to tell the tools; and what model providers
would lose or refuse. Exit code 1 when anything is found that is a warning or worse.

  --only A,B        only these of: schema, openai, anthropic, google, cohere, and the names of rules
  --fail-on LEVEL   exit code 1 from this level on: note, warning (the default) or error
  --pins [FILE]     also what differs from what was approved with pin; mcp-verbatim.lock.json if no file is named
  --json            for programs
  --sarif           for code hosts and editors (SARIF 2.1.0)

Examples
  mcp-verbatim check --url http://localhost:3000/mcp
  mcp-verbatim check --only openai,anthropic -- node server.js
  mcp-verbatim check --sarif --fail-on error --config mcp.json > mcp.sarif`,
  pin: `mcp-verbatim pin [options] SERVER

Approves the tools that the server offers now: their texts on the wire, a digest of each, and where the server is, without
secrets. Says what has changed since the last time. Other servers in the file stay as they are.

  --file FILE       mcp-verbatim.lock.json if none is named

Examples
  mcp-verbatim pin -- npx -y @modelcontextprotocol/server-everything
  mcp-verbatim pin --config mcp.json --server github`,
  diff: `mcp-verbatim diff [options] SERVER

What the server offers differently from what was approved with pin: tools that are new, gone, renamed or changed, and how,
in words; and whether it is another server. Exit code 1 where there is anything.

  --file FILE       mcp-verbatim.lock.json if none is named
  --json            for programs

Example
  mcp-verbatim diff --config mcp.json`,
  call: `mcp-verbatim call TOOL [JSON | @FILE | -] [options] SERVER

Calls the tool. The arguments are one JSON object: as text, from a file, or from stdin (-); none means {}.
Slips that have one meaning are repaired if the schema requires it, and the repair is shown; arguments that do not
satisfy the schema are refused with every violation named, and nothing is sent. Numbers are sent as you write them.

  --strict          repair nothing
  --repair WORD     safe (the default), integers, all or off; or kinds in addition to integers: numbers, booleans, strings,
                    bits, decimals, enums, names, json, split, lists, singletons, consts, nulls, allNulls, blanks,
                    wrappers
  --save FOLDER     write images, sounds and files of the result there, not with --json
  --answer N=VALUE  answers the field N where the server asks in the middle of the call; may be repeated
  --answers FILE    the same from a JSON object
  --decline         declines whatever it asks; without any of these you are asked, if there is a terminal
  --json            the server's result exactly as it came

Examples
  mcp-verbatim call echo '{"message": "hello"}' -- npx -y @modelcontextprotocol/server-everything
  echo '{"path": "/tmp"}' | mcp-verbatim call list_directory - --config mcp.json --server files`,
  serve: `mcp-verbatim serve [options] SERVER

An MCP server in front of the real one, for clients that you cannot change. Tools are exposed as their server wrote them,
one that no client could read is set aside, and slips in the arguments of a call are repaired. What else the protocol
defines passes. Over stdio, or with --port over streamable HTTP at /mcp. Several servers of a --config are one, with
their names in front of those of their tools. No client meets what belongs to another.

  --port PORT       HTTP instead of stdio; 0 takes a free one
  --host HOST       where HTTP listens, 127.0.0.1 if not given; anything but this machine itself needs --token
  --token [WHO=]'\${NAME}'   what clients send as Authorization: Bearer, from a variable, or with @FILE from a file; may be
                    repeated, with the name of whom each is for
  --allow-origin ORIGIN   pages elsewhere whose scripts may come; may be repeated
  --max-sessions N  how many may be open, 100 if not given
  --idle SECONDS    how long one is kept that nobody uses, 1800 if not given
  --shared          one session for all with servers over HTTP that have no state (2026-07-28)
  --provider NAME   tell schemas that openai, anthropic or google takes; calls are checked with the original
  --pins [FILE]     only tools that were approved with pin; what has changed since is set aside
  --fixed TOOL.ARGUMENT=VALUE   an argument that is not the model's; may be repeated, \${NAME} is read from the environment
  --discovery MODE  on-demand tells three tools, to search, describe and call the others; auto does so where there are
                    many; all is the default
  --pinned A,B      with --discovery: tools that are told always
  --longest-answer N   characters of an answer's text; more is left out, and said to be missing
  --strict, --repair WORD   as for call
  --timeout SECONDS for connecting and listing tools, 60 if not given

Examples
  mcp-verbatim serve -- npx -y @modelcontextprotocol/server-sequential-thinking
  mcp-verbatim serve --port 3100 --config mcp.json`,
  wrap: `mcp-verbatim wrap FILE [--write]

Shows the configuration of an MCP client (mcp.json, claude_desktop_config.json, …) with every server behind
mcp-verbatim serve. Secrets are hidden in what is shown.

  --write           write it to FILE, and keep what it was in FILE.before-mcp-verbatim

Example
  mcp-verbatim wrap ~/.cursor/mcp.json --write`,
};

/** The help text, with its headings bold. */
export function helpFor(topic: CommandName | undefined, { paint }: Terminal): string {
  const text = topic === undefined ? general : topics[topic];
  return text.replace(/^(?:mcp-verbatim.*|[A-Z]\w+(?: \w+)?)$/gm, (heading) => paint.bold(heading));
}
