package sharedata

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// skipper notes why a test is skipped, in place of the end of it.
type skipper struct {
	testing.TB
	why string
}

func (s *skipper) Helper() {}

func (s *skipper) Skipf(format string, args ...any) {
	s.why = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// asked is what f gives, or why the test would be skipped.
func asked[T any](t *testing.T, f func(testing.TB) T) (got T, why string) {
	s := &skipper{TB: t}
	end := make(chan struct{})
	go func() {
		defer close(end)
		got = f(s)
	}()
	<-end
	return got, s.why
}

// The data is found in the folder that is named, beside the module from any of its folders
// otherwise, and a skip states what is missing and how to mend that.
func TestWhereTheDataIs(t *testing.T) {
	t.Setenv("TARRY_SHARED", "")
	t.Setenv("TARRY_REFERENCE", "")
	top := t.TempDir()
	for _, name := range []string{"module/go.mod", "module/deep/er/x.go", "shared/traces/a.csv",
		"shared/reference/one/p.jsonl", "named/traces/a.csv", "named/reference/two/p.jsonl", "other/three/p.jsonl"} {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path := func(parts ...string) func(testing.TB) string {
		return func(t testing.TB) string { return Path(t, parts...) }
	}
	files := func(pattern string) func(testing.TB) []string {
		return func(t testing.TB) []string { return References(t, pattern) }
	}
	in := func(name string) string { return filepath.Join(top, name) }
	for _, dir := range []string{"module", "module/deep/er"} {
		t.Chdir(in(dir))
		if got, why := asked(t, path("traces", "a.csv")); got != in("shared/traces/a.csv") {
			t.Errorf("from %s: %q, skipped for %q", dir, got, why)
		}
		if got, why := asked(t, files("*/p.jsonl")); !slices.Equal(got, []string{in("shared/reference/one/p.jsonl")}) {
			t.Errorf("from %s: %q, skipped for %q", dir, got, why)
		}
	}
	t.Setenv("TARRY_SHARED", in("named"))
	if got, why := asked(t, path("traces")); got != in("named/traces") {
		t.Errorf("named: %q, skipped for %q", got, why)
	}
	if got, why := asked(t, files("*/p.jsonl")); !slices.Equal(got, []string{in("named/reference/two/p.jsonl")}) {
		t.Errorf("named: %q, skipped for %q", got, why)
	}
	t.Setenv("TARRY_CASES", in("given"))
	for _, name := range []string{"b", "a"} {
		if err := os.MkdirAll(in("given/"+name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(in("given/"+name+"/README"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := Cases(t); !slices.Equal(got, []string{in("given/a"), in("given/b")}) {
		t.Errorf("cases: %q", got)
	}
	t.Setenv("TARRY_REFERENCE", in("other"))
	if got, why := asked(t, files("*/p.jsonl")); !slices.Equal(got, []string{in("other/three/p.jsonl")}) {
		t.Errorf("references named: %q, skipped for %q", got, why)
	}
	if _, why := asked(t, path("traces", "b.csv")); why != "no traces/b.csv among the shared data; set "+
		"TARRY_SHARED to their folder" {
		t.Errorf("a skip states %q", why)
	}
	if _, why := asked(t, files("*/q.jsonl")); why != "no */q.jsonl in "+in("other")+
		"; set TARRY_SHARED to the folder of the shared data, or TARRY_REFERENCE to that one" {
		t.Errorf("a skip states %q", why)
	}
}
