package columns

import (
	"slices"
	"testing"
)

// Each name that an error states how to map is mapped as it states.
func TestAliasesAreMapped(t *testing.T) {
	fields := Fields()
	for own, names := range aliases() {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == own }) {
			t.Errorf("no column %q", own)
			continue
		}
		for _, name := range names {
			if got := Meant(fields, name); got == nil || got.Name != own {
				t.Errorf("%s stands for %v, expected %s", name, got, own)
			}
			if _, ok := Find(fields, name); ok {
				t.Errorf("%s is read without a mapping", name)
			}
		}
	}
	for _, name := range []string{"note", "comment", "cluster", "node", "nodes", "start", "end", "partition", "queue",
		"exit_code", "name", "tags", "hostname", "cores"} {
		if f := Meant(fields, name); f != nil {
			t.Errorf("%s is taken as a misspelt %s", name, f.Name)
		}
	}
}

// Join writes what is read back.
func TestJoin(t *testing.T) {
	own, file := []string{"gpus", "submit"}, []string{`GPU count, "all"`, "a=b"}
	pairs, err := parseColumns(Join(own, file))
	if err != nil || len(pairs) != 2 || pairs[0] != (pair{own[0], file[0]}) || pairs[1] != (pair{own[1], file[1]}) {
		t.Errorf("%q gives %v, error %v", Join(own, file), pairs, err)
	}
}
