package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"tarry/internal/param"
)

const bashCompletion = `# tarry: completion for bash. Use it with: source <(tarry completion bash)
_tarry() {
  local cur words
  cur="${COMP_WORDS[COMP_CWORD]}"
  words=("${COMP_WORDS[@]:0:$COMP_CWORD}")
  if [[ "$cur" == "-"* ]]; then
    words+=("$cur")
  fi
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _tarry tarry
`

const zshCompletion = `#compdef tarry
# tarry: completion for zsh. Use it with: source <(tarry completion zsh)
_tarry() {
  local -a opts
  local cur
  cur=${words[-1]}
  if [[ "$cur" == "-"* ]]; then
    opts=("${(@f)$(${words[@]:0:#words[@]-1} ${cur} --generate-bash-completion 2>/dev/null)}")
  else
    opts=("${(@f)$(${words[@]:0:#words[@]-1} --generate-bash-completion 2>/dev/null)}")
  fi
  if [[ "${opts[1]}" != "" ]]; then
    compadd -- ${opts%%:*}
  else
    _files
  fi
}
compdef _tarry tarry
`

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:         "completion",
		Usage:        "print the completion script of a shell: bash or zsh",
		UsageText:    "source <(tarry completion bash)",
		ArgsUsage:    "bash|zsh",
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			script := ""
			switch shell := c.Args().First(); {
			case c.NArg() == 1 && shell == "bash":
				script = bashCompletion
			case c.NArg() == 1 && shell == "zsh":
				script = zshCompletion
			default:
				return usageError{fmt.Errorf("shell %q, expected bash or zsh%s", shell, param.Hint(shell, []string{"bash", "zsh"}))}
			}
			_, err := fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
