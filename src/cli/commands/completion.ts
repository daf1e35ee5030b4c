import { command } from '../command.js';
import { exitCodes, UsageError } from '../exit.js';

export const completion = command({
  operands: [{ form: 'SHELL', needed: 'a shell: bash, zsh or fish' }],
  about: `Prints a script for bash, zsh or fish. With it the shell completes commands, options, their values, and the
names of the tools that list showed last.`,
  options: {},
  examples: [
    'completion bash >> ~/.bash_completion',
    'completion zsh > "${fpath[1]}/_mcp-verbatim"',
    'completion fish > ~/.config/fish/completions/mcp-verbatim.fish',
  ],
  run({ words: [shell = ''] }, { terminal }) {
    const script = Object.entries(scripts).find(([name]) => name === shell)?.[1];
    if (script === undefined)
      throw new UsageError(
        `There is no completion for "${shell}". It takes one of ${Object.keys(scripts).join(', ')}.`,
      );
    for (const line of script.split('\n')) terminal.line(line);
    return Promise.resolve(exitCodes.success);
  },
});

/** Each sends the words of the line up to the cursor to `mcp-verbatim __complete`. */
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
