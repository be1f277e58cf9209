package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"tarry/sim/param"
)

// The scripts ask the program (complete.go) and only lay its answer out for their shell.

const bashCompletion = `# tarry: completion for bash. Use it with: source <(tarry completion bash)
_tarry() {
  local line="${COMP_LINE:0:COMP_POINT}" cur kind cut word _
  local -a words
  read -ra words <<<"$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  cur="${words[${#words[@]}-1]}"
  # bash takes : and = for ends of words: what stands before the last of them is not replaced
  cut=""
  [[ "$cur" == *[:=]* ]] && cut="${cur%"${cur##*[:=]}"}"
  COMPREPLY=()
  {
    read -r kind
    while IFS=$'\t' read -r word _; do COMPREPLY+=("${word#"$cut"}"); done
  } < <("${words[0]/#\~\//$HOME/}" __complete "${words[@]:1}" 2>/dev/null)
  case "$kind" in
    files) compopt -o default ;;
    folders) compopt -o dirnames ;;
    *) [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *[:=,] ]] && compopt -o nospace ;;
  esac 2>/dev/null
  return 0
}
complete -F _tarry tarry
`

const zshCompletion = `#compdef tarry
# tarry: completion for zsh. Use it with: source <(tarry completion zsh)
_tarry() {
  local -a lines closed open
  local line word
  lines=("${(@f)$(${(Q)words[1]/#\~\//$HOME/} __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  case "$lines[1]" in
    files) compset -P '*[:=]'; _files; return ;;
    folders) compset -P '*='; _files -/; return ;;
  esac
  for line in "${(@)lines[2,-1]}"; do
    word="${line%%$'\t'*}"
    line="${word//:/\\:}:${line#*$'\t'}"
    if [[ "$word" == *[:=,] ]]; then open+=("$line"); else closed+=("$line"); fi
  done
  local found=1
  (( $#closed )) && _describe -t tarry tarry closed && found=0
  (( $#open )) && _describe -t tarry-more tarry open -S '' && found=0
  return found
}
if [[ "${funcstack[1]}" == "_tarry" ]]; then _tarry "$@"; else compdef _tarry tarry; fi
`

const fishCompletion = `# tarry: completion for fish. Use it with: tarry completion fish | source
function __tarry_complete
  set -l words (commandline -opc)
  set -l cur (commandline -ct)
  set -l lines ($words[1] __complete $words[2..-1] "$cur" 2>/dev/null)
  switch "$lines[1]"
    case files folders
      set -l head (string match -r '^.*[:=]' -- "$cur")
      set -l rest (string replace -r '^.*[:=]' '' -- "$cur")
      if test "$lines[1]" = folders
        set lines (__fish_complete_directories "$rest" '')
      else
        set lines (__fish_complete_path "$rest" '')
      end
      for line in $lines
        echo "$head$line"
      end
    case '*'
      string join \n -- $lines[2..-1]
  end
end
complete -c tarry -e
complete -c tarry -f -k -a '(__tarry_complete)'
`

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:  "completion",
		Usage: "print the completion script of a shell: bash, zsh or fish",
		UsageText: "source <(tarry completion bash)      # bash: into ~/.bashrc\n" +
			"source <(tarry completion zsh)       # zsh: into ~/.zshrc, after compinit\n" +
			"tarry completion fish | source       # fish: into ~/.config/fish/config.fish",
		ArgsUsage:    "bash|zsh|fish",
		OnUsageError: onUsageError,
		Action: func(c *cli.Context) error {
			scripts := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}
			shell := c.Args().First()
			script, ok := scripts[shell]
			if c.NArg() != 1 || !ok {
				return usageError{fmt.Errorf("shell %q, expected bash, zsh or fish%s", shell,
					param.Hint(shell, []string{"bash", "zsh", "fish"}))}
			}
			_, err := fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
