package app

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"tarry/internal/sharedata"
)

// caseFolder copies a case, a folder of small inputs from a user, and gives where.
func caseFolder(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sharedata.Path(t, "cases", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestReportedCases runs the commands of reports that are about more than a reader, and holds what
// they print against the right answer.
func TestReportedCases(t *testing.T) {
	for _, c := range []struct {
		folder, command string
		code            int
		out, errs       string // patterns
	}{
		{"03-type-case", "compare --trace csv:jobs.csv --cluster v100:1x1x4+k80:1x1x4 --policy fifo", 0,
			`fifo +2 +2 +0 +0`, ``},
		{"14-openb-running", "trace info --trace openb:pods.csv", 0, `state Running +1 jobs(.|\n)*cut off +1 jobs at`,
			`1 of 2 pods were still Running`},
		{"17-figures-none-finished", "compare --trace csv:jobs.csv --cluster 1x1x4 --policy fifo --policy las --out out",
			0, `las +1 +0 +0 +1`, `fifo: 1 jobs refused, larger than the cluster of 4 GPUs: a`},
		{"17-figures-none-finished", "compare --trace csv:jobs.csv --cluster 1x1x4 --policy fifo --plot out", 1, ``,
			`tarry: --plot: no job finished: nothing to draw`},
		{"18-faults-without-checkpoint", "simulate --trace csv:jobs.csv --cluster 1x64x8 --speed counting --policy fifo " +
			"--machine-mtbf 8640000", 1, ``, `without the cost checkpoint_every_s a fault sends a job back(.|\n)*` +
			`job "big" has been restarted 15\d\d\d times`},
		{"18-faults-without-checkpoint", "simulate --trace csv:jobs.csv --cluster 1x64x8 --speed counting --policy fifo " +
			"--machine-mtbf 8640000 --cost checkpoint_every_s=3600", 0, `fifo +2 +2 +0 +0`, ``},
		{"19-host-memory", "compare --trace csv:a.csv --cluster c.yaml --speed counting --policy fifo --policy dally " +
			"--policy delay --policy consolidate --policy gandiva-fair", 0,
			`(?s)(fifo|dally|delay|consolidate) +1 +1 +0 +0 +0 +50 .*gandiva-fair +1 +1 +0 +0 +0 +50 `, ``},
		{"19-host-memory", "simulate --trace csv:b.csv --cluster c.yaml --speed counting --policy fifo --faults " +
			"machine_mtbf_s=20000,machine_mttr_s=10", 0, `fifo +1 +0 +0 +1`,
			`1 jobs refused, more host memory for each GPU than a machine has \(65536 MiB\): a`},
	} {
		s := tarry(t, caseFolder(t, c.folder), strings.Fields(c.command)...)
		if s.code != c.code || !regexp.MustCompile(c.out).MatchString(s.out) ||
			!regexp.MustCompile(c.errs).MatchString(s.errors) {
			t.Errorf("%s: tarry %s: exit code %d, expected %d\n%s%s", c.folder, c.command, s.code, c.code, s.out, s.errors)
		}
	}
}

// TestCasesAtHand runs what the README of each case states, in the folder TARRY_CASES or else among
// the shared cases: each command of tarry, and trace info of each file by each format that a command
// reads it with. Every command ends, without a panic, with an account or an error; a line exit: of
// the README states its exit code, and lines prints: what it prints.
func TestCasesAtHand(t *testing.T) {
	for _, folder := range sharedata.Cases(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			notes, err := filepath.Glob(filepath.Join(dir, "README*"))
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(notes[0])
			if err != nil {
				t.Fatal(err)
			}
			commands := commandsOf(string(text))
			all := ""
			last := said{}
			for _, args := range commands {
				last = sound(t, dir, args)
				all += last.out + last.errors
			}
			for _, args := range accounts(t, dir, commands) {
				if s := sound(t, dir, args); s.code == 0 && !strings.Contains(s.errors, " jobs kept of ") {
					t.Errorf("tarry %q prints no account: %s", args, s.errors)
				}
			}
			expected(t, string(text), last.code, all)
		})
	}
}

// sound runs a command, which ends in time, and well or with an error.
func sound(t *testing.T, dir string, args []string) said {
	t.Helper()
	start := time.Now()
	s := tarry(t, dir, args...)
	if took := time.Since(start); took > 5*time.Minute {
		t.Errorf("tarry %q took %v", args, took)
	}
	switch {
	case strings.Contains(s.errors, "goroutine ") || strings.Contains(s.errors, "panic:"):
		t.Errorf("tarry %q: %s", args, s.errors)
	case s.code < 0 || s.code > 2 || s.code != 0 && !strings.Contains(s.errors, "tarry: "):
		t.Errorf("tarry %q: exit code %d, %q", args, s.code, s.errors)
	}
	return s
}

// commandsOf gives the commands of a README: what stands between "tarry" and the end of the line, a
// parenthesis, or what a shell would read as the end, once for each word of a loop "for f in a b:".
func commandsOf(text string) [][]string {
	command := regexp.MustCompile(`\btarry ((?:"[^"]*"|'[^']*'|[^&|;>()"'` + "`" + `\n])*)`)
	loop := regexp.MustCompile(`for (\w+) in ([^:;]+)[:;](.*)`)
	var lines []string
	for line := range strings.Lines(text) {
		switch m := loop.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "got:") || strings.HasPrefix(line, "expected:"):
		case m == nil:
			lines = append(lines, line)
		default:
			for _, word := range strings.Fields(m[2]) {
				lines = append(lines, strings.ReplaceAll(m[3], "$"+m[1], word))
			}
		}
	}
	var out [][]string
	for _, line := range lines {
		for _, m := range command.FindAllStringSubmatch(line, -1) {
			var args []string
			for _, word := range regexp.MustCompile(`(?:"[^"]*"|'[^']*'|[^\s"'])+`).FindAllString(m[1], -1) {
				args = append(args, strings.NewReplacer(`"`, "", "'", "").Replace(word))
			}
			if len(args) > 0 && regexp.MustCompile(`^(simulate|compare|trace|figures|report|runs|list|sweep)$`).
				MatchString(args[0]) {
				out = append(out, args)
			}
		}
	}
	return out
}

// accounts gives a command of trace info for each file of a case that is no note, by itself and by
// each format that a command names.
func accounts(t *testing.T, dir string, commands [][]string) (out [][]string) {
	t.Helper()
	for _, args := range commands {
		for i, arg := range args {
			if i > 0 && args[i-1] == "--trace" {
				out = append(out, []string{"trace", "info", "--trace", arg})
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch ext := filepath.Ext(e.Name()); {
		case e.IsDir() || strings.HasPrefix(e.Name(), "README") || ext == ".py" || ext == ".yaml" || ext == ".xml":
		default:
			out = append(out, []string{"trace", "info", "--trace", e.Name()})
		}
	}
	return out
}

// expected holds the lines exit: and prints: of a README.
func expected(t *testing.T, text string, code int, all string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if want, ok := strings.CutPrefix(line, "exit:"); ok && strings.TrimSpace(want) != string(rune('0'+code)) {
			t.Errorf("exit code %d, expected %s", code, want)
		}
		if want, ok := strings.CutPrefix(line, "prints:"); ok && !strings.Contains(all, strings.TrimSpace(want)) {
			t.Errorf("%s does not print %s", all, want)
		}
	}
}

// Commands are found in a README as people write it.
func TestCommandsOfAReadme(t *testing.T) {
	const text = "command: for f in a b: tarry compare --trace csv:$f.csv --cuts \"part=test,warm=0\" --out o$f\n" +
		"command: tarry simulate --trace x.csv && tarry figures out   (also delay)\n" +
		"expected: tarry list policies\ngot: tarry: out: nothing\n" +
		"command: `tarry trace info --trace swf:log.swf`; python x.py\n"
	want := [][]string{{"compare", "--trace", "csv:a.csv", "--cuts", "part=test,warm=0", "--out", "oa"},
		{"compare", "--trace", "csv:b.csv", "--cuts", "part=test,warm=0", "--out", "ob"},
		{"simulate", "--trace", "x.csv"}, {"figures", "out"}, {"trace", "info", "--trace", "swf:log.swf"}}
	if got := commandsOf(text); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
