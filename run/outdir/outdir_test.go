package outdir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/output/results"
	"tarry/run/lock"
)

const base = `{"trace":"synth:demo","placement":"best-fit","replicates":1}`

// claim expects a folder to be had, and gives it back.
func claim(t *testing.T, dir, want string, force bool) {
	t.Helper()
	release, err := Claim(dir, want, force)
	if err != nil {
		t.Fatal(err)
	}
	release()
}

// A folder belongs to one configuration, of whatever policies; force gives it to another one,
// without the tables of the first.
func TestClaim(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	claim(t, "", base, false)
	claim(t, dir, WithPolicies(base, []string{"fifo"}), false)
	table := filepath.Join(dir, "trials", "policy-fifo")
	if err := os.MkdirAll(table, 0o777); err != nil {
		t.Fatal(err)
	}
	claim(t, dir, WithPolicies(base, []string{"las", "fifo"}), false)
	if _, err := os.Stat(table); err != nil {
		t.Error("other policies of the same configuration removed what was there")
	}
	for _, c := range []struct{ more, want []string }{
		{[]string{"fifo"}, []string{"las", "fifo"}}, // one of the policies there, as simulate runs it
		{[]string{"sjf", "fifo"}, []string{"sjf", "fifo", "las"}},
		// others are compared with the first
		{[]string{"fifo", "las", "sjf"}, []string{"fifo", "las", "sjf"}},
	} {
		claim(t, dir, WithPolicies(base, c.more), false)
		if text, _ := os.ReadFile(filepath.Join(dir, configName)); string(text) != WithPolicies(base, c.want) {
			t.Errorf("with %q the folder says %q, expected the policies %q", c.more, text, c.want)
		}
	}
	other := WithPolicies(strings.Replace(base, "demo", "philly", 1), []string{"fifo"})
	_, err := Claim(dir, other, false)
	if !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "--force") {
		t.Errorf("another configuration: %v", err)
	}
	claim(t, dir, other, true)
	if _, err := os.Stat(table); err == nil {
		t.Error("the tables of the configuration before are still there")
	}
	if text, _ := os.ReadFile(filepath.Join(dir, configName)); string(text) != other {
		t.Errorf("the folder says %q", text)
	}
}

// A run that was stopped before its first result keeps no other configuration out.
func TestClaimOfNoResult(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	claim(t, dir, WithPolicies(base, []string{"fifo"}), false)
	other := WithPolicies(strings.Replace(base, "demo", "philly", 1), []string{"fifo"})
	claim(t, dir, other, false)
	if text, _ := os.ReadFile(filepath.Join(dir, configName)); string(text) != other {
		t.Errorf("the folder has %q, expected the second configuration", text)
	}
	if err := os.MkdirAll(filepath.Join(dir, "evals"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Claim(dir, WithPolicies(base, []string{"fifo"}), false); !errors.Is(err, ErrOther) {
		t.Errorf("error %v beside a table, expected ErrOther", err)
	}
}

// One who writes keeps others out, and files of others are not touched.
func TestClaimIsRefused(t *testing.T) {
	dir := t.TempDir()
	release, err := Claim(dir, base, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Claim(dir, base, true); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("a folder that is being written: %v", err)
	}
	release()
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, configName), []byte(`{"mine":true}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Claim(foreign, base, true); !errors.Is(err, lock.ErrForeign) {
		t.Errorf("a folder of others: %v", err)
	}
}

// The manifest of a run of one policy keeps what it has of others, unless it is gone or another.
func TestManifestKeepsOthers(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	listed := func(files ...string) string {
		t.Helper()
		if err := Manifest(context.Background(), dir, results.NewMeta("", "", ""), files); err != nil {
			t.Fatal(err)
		}
		m, err := results.ReadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range m.Files {
			names = append(names, f.Path)
		}
		return strings.Join(names, " ")
	}
	for _, name := range []string{"a", "b", "c"} {
		put(name, name)
	}
	if got := listed("a", "b"); got != "a b" {
		t.Errorf("files %s", got)
	}
	if got := listed("b", "c"); got != "a b c" {
		t.Errorf("files %s, expected a to stay", got)
	}
	put("a", "changed")
	if got := listed("c"); got != "b c" {
		t.Errorf("files %s, expected a to go, which changed", got)
	}
}
