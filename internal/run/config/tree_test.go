package config

import (
	"slices"
	"strings"
	"testing"
)

// TestTree: values keep their text, and every value its place.
func TestTree(t *testing.T) {
	tree, err := ParseTree("f.yaml", []byte("a: 1.50\nb: {c: [x, {d: true}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := tree.Value["b"].(map[string]any)["c"].([]any)
	if tree.Value["a"] != "1.50" || list[0] != "x" || list[1].(map[string]any)["d"] != "true" {
		t.Errorf("got %v", tree.Value)
	}
	for path, want := range map[string]string{"a": "f.yaml:1:1", "b.c": "f.yaml:2:5", "b.c[1].d": "f.yaml:2:13"} {
		if tree.Where[path] != want {
			t.Errorf("%s is at %q, want %q", path, tree.Where[path], want)
		}
	}
	_, err = ParseTree("f.yaml", []byte("a:\nb: {c: 1, c: 2}\nd: [~]\n"))
	want := "f.yaml:1:3: a is empty, expected a value\nf.yaml:2:11: b.c appears twice\nf.yaml:3:5: d[0] is empty, expected a value"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestFromSettings: settings mean what a file of theirs means, and faults tell the place they came from.
func TestFromSettings(t *testing.T) {
	place := func(key string) string { return map[string]string{"replicates": "sweep.yaml:7"}[key] }
	f := FromSettings("cell a=1", map[string]any{"trace": "synth:demo", "replicates": "3", "policies": []any{"fifo", "dally:lease=60"},
		"costs": map[string]any{"restore_s": "5"}, "strict": "true"}, place)
	c := Default()
	if err := f.Apply(&c); err != nil {
		t.Fatal(err)
	}
	if c.Trace != "synth:demo" || c.Replicates != 3 || !slices.Equal(c.Policies, []string{"fifo", "dally:lease=60"}) || !c.Strict || c.Costs.Restore.FixedS != 5 {
		t.Errorf("got %+v", c)
	}
	f = FromSettings("cell a=1", map[string]any{"replicates": "many", "tracy": "x"}, place)
	err := f.Apply(&c)
	if err == nil || !strings.Contains(err.Error(), `sweep.yaml:7: replicates is "many", expected a whole number in 1..1000000`) ||
		!strings.Contains(err.Error(), `cell a=1: unknown field "tracy"`) {
		t.Errorf("got %v", err)
	}
}

// TestFields: every field of a file is listed.
func TestFields(t *testing.T) {
	got := Fields()
	for _, want := range []string{"trace", "policy", "policies", "costs", "faults", "cluster", "seed", "out"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not in %v", want, got)
		}
	}
}
