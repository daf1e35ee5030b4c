import type { Context } from '../context.js';
import { exitCodes, UsageError } from '../exit.js';
import type { CompletionGiven } from '../usage/completion.js';

/** Each has what it completes said by this program: what stands on the line up to the word that is typed goes there. */
const scripts = {
  bash: `_mcp_verbatim() {
  local IFS=$'\\n'
  COMPREPLY=($(mcp-verbatim __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _mcp_verbatim mcp-verbatim`,
  zsh: `#compdef mcp-verbatim
_mcp_verbatim() {
  local -a found
  found=("\${(@f)$(mcp-verbatim __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  if (( $#found )); then
    compadd -- "\${found[@]%%$'\\t'*}"
  else
    _files
  fi
}
if [[ $funcstack[1] == _mcp-verbatim ]]; then
  _mcp_verbatim "$@"
else
  compdef _mcp_verbatim mcp-verbatim
fi`,
  fish: `function __mcp_verbatim
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  set -l found (mcp-verbatim __complete $words[2..-1] "$typed" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$typed"
  end
end
complete -c mcp-verbatim -f -a '(__mcp_verbatim)'`,
};

/** The script that makes a shell complete the command. */
export function completion({ words: [shell = ''] }: CompletionGiven, { terminal }: Context): Promise<number> {
  const script = Object.entries(scripts).find(([name]) => name === shell)?.[1];
  if (script === undefined)
    throw new UsageError(`There is no completion for "${shell}". It takes one of ${Object.keys(scripts).join(', ')}.`);
  for (const line of script.split('\n')) terminal.line(line);
  return Promise.resolve(exitCodes.success);
}
