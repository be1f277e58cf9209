package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHostileYAML: a short file that stands for endless values is refused with its bound, whatever
// reads it.
func TestHostileYAML(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		from, to := string(rune('0'+i)), string(rune('1'+i))
		bomb += "a" + to + ": &a" + to + " [" + strings.TrimSuffix(strings.Repeat("*a"+from+", ", 10), ", ") + "]\n"
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cluster.yaml"), []byte("name: x\nkind: simulate\nbase: {trace: "+
		"\"synth:demo,jobs=5\", policy: fifo, cluster: x.yaml}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	commands := [][]string{
		{"simulate", "--config", "x.yaml"},
		{"compare", "--config", "x.yaml"},
		{"simulate", "--trace", "synth:demo,jobs=5", "--policy", "fifo", "--cluster", "x.yaml"},
		{"simulate", "--trace", "synth:demo,jobs=5", "--policy", "fifo", "--profile", "x.yaml"},
		{"train", "--config", "x.yaml", "--out", "o"},
		{"sweep", "x.yaml", "--dry-run"},
		{"sweep", "x.yaml", "--out", "o"},
		{"sweep", "cluster.yaml", "--dry-run"},
	}
	for _, c := range []struct{ text, want string }{
		{"a: &a [*a]\n", "x.yaml:1: the alias *a stands inside what it names, expected a value that ends"},
		{"a: 1\nb: &b {c: {d: *b}}\n",
			"x.yaml:2: the alias *b stands inside what it names, expected a value that ends"},
		{bomb, "x.yaml:6: more than 262144 values (what an alias stands for counts as often as it is used), " +
			"expected fewer"},
		{"a:\n  " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\n",
			"x.yaml:2: values stand more than 64 deep inside one another, expected fewer"},
		{"a: " + strings.Repeat("x", 2<<20), "x.yaml: the file has more than 1048576 bytes, expected fewer"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "x.yaml"), []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range commands {
			s := tarry(t, dir, args...)
			if s.code != exitUsage || !strings.Contains(s.errors, c.want) || len(s.errors) > 2000 {
				t.Errorf("tarry %s: code %d, expected %d and %q\n%.1000s", strings.Join(args, " "), s.code, exitUsage,
					c.want, s.errors)
			}
			if _, err := os.Stat(filepath.Join(dir, "o")); err == nil {
				t.Fatalf("tarry %s made the folder of --out", strings.Join(args, " "))
			}
		}
	}
}
