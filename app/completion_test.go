package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tarry/catalogue/agents"
	"tarry/catalogue/envs"
	"tarry/catalogue/policies"
	"tarry/catalogue/questions"
	"tarry/catalogue/schedulers"
)

// offered asks for the completions of a command line, the last word perhaps empty.
func offered(t *testing.T, words ...string) (kind string, texts []string) {
	t.Helper()
	s := good(t, t.TempDir(), append([]string{completeWord}, words...)...)
	lines := strings.Split(strings.TrimSuffix(s.out, "\n"), "\n")
	for _, line := range lines[1:] {
		text, _, tab := strings.Cut(line, "\t")
		if !tab {
			t.Errorf("%q: line %q has no tab", words, line)
		}
		texts = append(texts, text)
	}
	return lines[0], texts
}

// TestCompletionKnowsTheNames: every name of the catalogues is offered where it is written.
func TestCompletionKnowsTheNames(t *testing.T) {
	var names, environments, learners, asked []string
	for _, e := range append(schedulers.All(), policies.Variants()...) {
		names = append(names, e.Name)
	}
	names = append(names, "python") // and a class
	for _, e := range envs.All() {
		environments = append(environments, e.ID)
	}
	for _, e := range agents.All() {
		learners = append(learners, e.Name)
	}
	for _, q := range questions.All() {
		asked = append(asked, q.Name)
	}
	for _, c := range []struct {
		words []string
		want  []string
	}{
		{[]string{"simulate", "--policy", ""}, names},
		{[]string{"compare", "-p", "fifo", "-p", ""}, names},
		{[]string{"eval", "--baseline", ""}, names},
		{[]string{"tune", "--policy", ""}, names},
		{[]string{"list", "policies", ""}, names},
		{[]string{"train", "--env", ""}, environments},
		{[]string{"tune", "--env", ""}, environments},
		{[]string{"list", "envs", ""}, environments},
		{[]string{"train", "--agent", ""}, learners},
		{[]string{"list", "agents", ""}, learners},
		{[]string{"sweep", "--question", ""}, asked},
		{[]string{"reproduce", ""}, asked},
		{[]string{"figures", "--question", ""}, asked},
		{[]string{"completion", ""}, []string{"bash", "zsh", "fish"}},
	} {
		if kind, got := offered(t, c.words...); kind != "words" || !slices.Equal(got, c.want) {
			t.Errorf("%q offers %s %q, expected %q", c.words, kind, got, c.want)
		}
	}
}

// TestCompletionOfWords: flags, sub-commands, settings, lists, values behind an equals sign, files.
func TestCompletionOfWords(t *testing.T) {
	for _, c := range []struct {
		line, kind, want string
	}{
		{"simulate --pol", "words", "--policy"},
		{"simulate --policy fifo --tra", "words", "--trace --trace-columns"},
		{"simulate --strict --stri", "words", ""}, // given already
		{"compare --policy fifo --poli", "words", "--policy"},
		{"sweep status --fa", "words", "--failed"},
		{"--vers", "words", "--version"},
		{"comp", "words", "compare completion"},
		{"trace ge", "words", "generate"},
		{"simulate --policy=scat", "words", "--policy=scatter"},
		{"simulate --policy dally:lease=600,t_r", "words", "dally:lease=600,t_rack="},
		{"simulate --policy dally:lease=600,leas", "words", ""},
		{"train --env tarry/DelayTimer-v0:loa", "words", "tarry/DelayTimer-v0:load="},
		{"train --env tarry/DelayTimer-v0:load=", "words", ""},
		{"eval --baselines fifo,easy,scat", "words", "fifo,easy,scatter"},
		{"trace repair --rules ids,ord", "words", "ids,order"},
		{"train --agent dqn --set doub", "words", "double="},
		{"train --set pati", "words", "patience="},
		{"simulate --cost start_s=1,start_p", "words", "start_s=1,start_per_gpu_s="},
		{"simulate --trace synth:diu", "words", "synth:diurnal"},
		{"simulate --trace phi", "words", "philly:"},
		{"simulate --trace philly:x", "files", ""},
		{"simulate --format js", "words", "json"},
		{"simulate --speed con", "words", "contended"},
		{"sweep --engine sl", "words", "slurm"},
		{"sweep --scale f", "words", "full"},
		{"sweep --question results --only results-timers-p", "words", "results-timers-ppo"},
		{"simulate --config x", "files", ""},
		{"simulate --out x", "folders", ""},
		{"report x", "folders", ""},
		{"sweep x", "files", ""},
		{"simulate --seed 1", "words", ""},
		{"nonsense --x", "words", ""},
	} {
		kind, got := offered(t, strings.Split(c.line, " ")...)
		if c.line == "nonsense --x" {
			continue // any answer, without a crash
		}
		if text := strings.Join(got, " "); kind != c.kind || text != c.want {
			t.Errorf("%q offers %s %q, expected %s %q", c.line, kind, text, c.kind, c.want)
		}
	}
}

// inShells are lines that each shell itself completes to the word that stands behind them.
func inShells() [][2]string {
	return [][2]string{
		{"tarry simulate --pol", "--policy"},
		{"tarry --vers", "--version"},
		{"tarry compare --policy scat", "scatter"},
		{"tarry train --env classic/Cart", "classic/CartPole-v1"},
		{"tarry train --env tarry/DelayTimer-v0:loa", "tarry/DelayTimer-v0:load="},
		{"tarry train --agent reinf", "reinforce"},
		{"tarry sweep --question cong", "congestion"},
		{"tarry reproduce cong", "congestion"},
	}
}

// shell runs a script in a shell that finds this program as tarry; it skips where there is no such
// shell.
func shell(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here: its completion is not tried", name)
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute) // against hanging
	defer stop()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary())+":"+os.Getenv("PATH"), "HOME="+cmd.Dir, "TERM=dumb")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

func TestCompletionInBash(t *testing.T) {
	for _, c := range inShells() {
		got := shell(t, "bash", "--norc", "-c", `source <(tarry completion bash); complete -p tarry >/dev/null || exit
COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}; _tarry; printf '%s,' "${COMPREPLY[@]}"`, "bash", c[0])
		want := c[1][strings.LastIndexByte(c[1], ':')+1:] // bash takes the colon for the end of a word
		if got != want+"," {
			t.Errorf("%q becomes %q, expected %q", c[0], got, want)
		}
	}
}

func TestCompletionInFish(t *testing.T) {
	for _, c := range inShells() {
		got := shell(t, "fish", "--no-config", "-c", "tarry completion fish | source; complete -C '"+c[0]+"'")
		if text, _, _ := strings.Cut(got, "\t"); text != c[1] || strings.Count(got, "\n") != 1 {
			t.Errorf("%q becomes %q, expected %q", c[0], got, c[1])
		}
	}
}

// TestCompletionInZsh types into an interactive zsh and presses the tabulator.
func TestCompletionInZsh(t *testing.T) {
	script := `zmodload zsh/zpty; zpty z zsh -f -i
zpty -w z "PS1='> '; unsetopt beep; autoload -Uz compinit; compinit -u -D; source <(tarry completion zsh); print REA''DY"
zpty -r -m z out '*READY*' || exit 1
`
	for _, c := range inShells() {
		script += "zpty -w -n z $'" + c[0] + "\\t'; zpty -r -m z out '*" + c[1] + "*' || exit 1; print -r -- 'done: " +
			c[1] + "'; zpty -w -n z $'\\x15'\n"
	}
	got := shell(t, "zsh", "-f", "-c", script+"zpty -d z")
	for _, c := range inShells() {
		if !strings.Contains(got, "done: "+c[1]+"\n") {
			t.Errorf("%q does not become %q:\n%s", c[0], c[1], got)
		}
	}
}
