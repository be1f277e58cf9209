package app

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// documented gives the lines of tarry's commands in the sh blocks of a Markdown page.
func documented(page string) []string {
	var out []string
	inside, joined := false, ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			inside = line == "```sh"
			continue
		}
		if !inside {
			continue
		}
		if head, ok := strings.CutSuffix(line, "\\"); ok {
			joined += head + " "
			continue
		}
		line, joined = joined+line, ""
		if strings.HasPrefix(line, "tarry ") || strings.HasPrefix(line, "build/tarry ") {
			out = append(out, line)
		}
	}
	return out
}

// shellWords splits a line as a shell does, without expansions; it ends at a comment, a pipe or a
// redirection.
func shellWords(line string) []string {
	var out []string
	word, started, quote := "", false, rune(0)
	flush := func() {
		if started {
			out = append(out, word)
		}
		word, started = "", false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, started = r, true
		case r == ' ':
			flush()
		case r == '|' || r == '>' || r == '<' || r == '#' && !started:
			flush()
			return out
		default:
			word, started = word+string(r), true
		}
	}
	flush()
	return out
}

// unknown gives what is wrong with a command line: a command, a flag or an argument that tarry does
// not have. It runs nothing.
func unknown(app *cli.App, words []string) []string {
	var bad []string
	commands, flags := app.Commands, app.Flags
	l := readLine(app, words)
	if len(l.path) == 0 {
		return []string{"no command"}
	}
	for _, c := range l.path {
		commands, flags = c.Subcommands, append(slices.Clone(flags), c.Flags...)
	}
	for _, w := range words {
		name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
		if strings.HasPrefix(w, "--") && name != "" && flagOf(flags, name) == nil {
			bad = append(bad, w)
		}
	}
	if l.open != nil {
		bad = append(bad, "--"+l.open.Names()[0]+" without a value")
	}
	last := l.path[len(l.path)-1]
	if len(l.rest) > 0 && last.ArgsUsage == "" && last.UsageText == "" || len(l.rest) > 0 && len(commands) > 0 &&
		last.Action == nil {
		bad = append(bad, l.rest...)
	}
	return bad
}

// TestDocumentedCommands checks that every command line of the README and of the pages names
// commands and flags that tarry has.
func TestDocumentedCommands(t *testing.T) {
	names, err := filepath.Glob("../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	app, n := shipped().newApp(io.Discard, io.Discard), 0
	for _, name := range append(names, "../README.md") {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range documented(string(page)) {
			n++
			if bad := unknown(app, shellWords(line)[1:]); bad != nil {
				t.Errorf("%s: %s\nnot known: %q", name, line, bad)
			}
		}
	}
	if n < 30 {
		t.Errorf("%d command lines found, expected more than 30", n)
	}
}

// The check of a command line can fail, and reads lines as a shell does.
func TestDocumentedCommandsFail(t *testing.T) {
	app := shipped().newApp(io.Discard, io.Discard)
	for line, want := range map[string]string{
		"tarry compare --trace synth:demo --policy dally":    "",
		"tarry sweep a.yaml --out b # --nothing":             "",
		"tarry train --env 'a b' --agnt ppo":                 "--agnt",
		"tarry nothing --out x":                              "no command",
		"tarry simulate --trace synth:demo --policy":         "--policy without a value",
		"tarry trace info --trace philly:x --cluster=8x8x8":  "",
		"tarry sweep x.yaml --engine k8s | kubectl apply -f": "",
	} {
		if got := strings.Join(unknown(app, shellWords(line)[1:]), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := documented("```sh\ntarry a \\\n  --b\nmake c\n```\ntarry d\n```yaml\ntarry e\n```\n"); len(got) != 1 ||
		got[0] != "tarry a  --b" {
		t.Errorf("documented: %q", got)
	}
}
