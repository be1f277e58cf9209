package sweep

import (
	"tarry/catalogue/shipped"

	"os"
	"path/filepath"
	"strings"
	"testing"
)

// faultsOf gives the places and what is wrong there, as far as the first comma, of a file's faults.
func faultsOf(t *testing.T, text string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := ReadFile(shipped.All(), path)
	if err == nil {
		var cells []Cell
		if cells, err = s.Cells(shipped.All()); err == nil {
			err = s.Check(shipped.All(), cells)
		}
	}
	if err == nil {
		t.Fatal("no fault")
	}
	var out []string
	for line := range strings.Lines(err.Error()) {
		line, _, _ = strings.Cut(strings.TrimPrefix(line, filepath.Dir(path)+"/"), ",")
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

// Faults of the file's form, of the sweep and of the settings are reported at once, in the order of
// the lines, and a line that has one is not looked at again.
func TestAllFaultsAtOnce(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"simulate", `name: bad name
kind: simulate
base:
  trace: synth:poisson:jobs=60,load={lod}
  cluster: 4x4
  polcy: x
axes:
  - {name: load, values: [0.5, 0.5]}
  - {name: policy, values: [fifo, nosuch]}
budget: {cels: 3}
`, []string{
			`s.yaml:1:1: the sweep's name is "bad name"`,
			`s.yaml:4:3: {lod} in "synth:poisson:jobs=60`,
			`s.yaml:5:3: unknown cluster "4x4"`,
			`s.yaml:6:3: unknown field "polcy"`,
			`s.yaml:8:6: axis load has 0.5 twice: two cells would have the same id`,
			`s.yaml:9:35: policy "nosuch": unknown`,
			`s.yaml:10:10: unknown field "budget.cels"`,
		}},
		{"axes unread", `name: bad name
kind: simulate
base: {trace: "synth:demo", cluster: 4x4}
axes:
  - {name: policy, values: []}
`, []string{`s.yaml:5:28: axes[0].values is an empty list`}},
		{"unused", `name: a
kind: simulate
base:
  trace: synth:demo
  cluster: 4x4
axes:
  - {name: load, values: [1, 2]}
  - {name: policy, values: [fifo, nosuch]}
`, []string{`s.yaml:5:3: unknown cluster "4x4"`, `s.yaml:7:6: axis load is used nowhere: it is no setting of kind simulate and no {load} stands in a setting`, `s.yaml:8:35: policy "nosuch": unknown`}},
		{"learn", `name: a b
kind: learn
base:
  env: tarry/DelayTimer-v0:nokey=4
  agent: pop
seeds: 2
`, []string{`s.yaml:1:1: the sweep's name is "a b"`, `s.yaml:4:3: tarry/DelayTimer-v0: unknown key "nokey"`, `s.yaml:5:3: agent "pop": unknown`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := faultsOf(t, c.text)
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}
