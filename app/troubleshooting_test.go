package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// printedExample is a command of docs/howto/troubleshooting.md with the lines that it prints.
type printedExample struct {
	command string
	lines   []string
}

// printedExamples reads the console blocks of a page: "$ tarry ..." and below it lines as printed, "..." where text is
// left out.
func printedExamples(page string) []printedExample {
	var out []printedExample
	inside := false
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		command, is := strings.CutPrefix(line, "$ tarry ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && is:
			out = append(out, printedExample{command: command})
		case inside && line != "" && len(out) > 0:
			last := &out[len(out)-1]
			last.lines = append(last.lines, line)
		}
	}
	return out
}

// quoted reports whether a text has a line's parts, between its "...", one behind the other.
func quoted(text, line string) bool {
	for part := range strings.SplitSeq(line, "...") {
		_, rest, found := strings.Cut(text, strings.TrimSpace(part))
		if !found {
			return false
		}
		text = rest
	}
	return true
}

// TestTroubleshooting runs the commands of docs/howto/troubleshooting.md, in the order of the page and in one folder,
// and looks for the messages that the page quotes.
func TestTroubleshooting(t *testing.T) {
	page, err := os.ReadFile("../docs/howto/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	sweep, err := os.ReadFile("../examples/load.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := scratch(t)
	t.Setenv("PATH", dir) // without Slurm
	for name, text := range map[string]string{
		"examples/load.yaml": string(sweep),
		"unnamed.csv":        "submit,gpu,hours\n0,1,60\n",
		"typo.csv":           "submit_s,gpus,duration_s,modl\n0,1,60,vgg16\n",
		"half.csv":           "submit_s,gpus,duration_s\n0,1,60\n5,2.5,60\n9,4,60\n",
		"wide.csv":           "id,submit_s,gpus,duration_s\nwide,0,64,60\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, e := range printedExamples(string(page)) {
		got := tarry(t, dir, shellWords(e.command)...)
		for _, line := range e.lines {
			n++
			if !quoted(got.errors+got.out, line) {
				t.Errorf("tarry %s\nprinted %q\nwhich lacks %q", e.command, got.errors+got.out, line)
			}
		}
	}
	if n < 15 {
		t.Errorf("%d messages found, expected more than 15", n)
	}
}

// TestQuoted shows that the look for a message can fail.
func TestQuoted(t *testing.T) {
	for line, want := range map[string]bool{
		"one ... three": true, "one two": true, "three ... one": false, "one three": false, "... two": true,
	} {
		if got := quoted("one two three", line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
