package pagetable

import (
	"os"
	"path/filepath"
	"testing"
)

// fails counts errors of a test.
type fails struct {
	testing.TB
	n int
}

func (f *fails) Errorf(string, ...any) { f.n++ }
func (f *fails) Helper()               {}

// A table that differs fails the test, and is written where that is asked for.
func TestHold(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("a\n<!-- table x -->\nold\n<!-- end -->\nb <!-- table y --><!-- end -->"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		table  string
		update bool
		fails  int
	}{{"old\n", false, 0}, {"new\n", false, 1}, {"new\n", true, 0}, {"new\n", false, 0}, {"old\n", false, 1}} {
		f := &fails{TB: t}
		if Hold(f, page, "x", step.table, step.update, "make it"); f.n != step.fails {
			t.Errorf("%+v: %d failures", step, f.n)
		}
	}
	if text, err := os.ReadFile(page); err != nil || string(text) !=
		"a\n<!-- table x -->\nnew\n<!-- end -->\nb <!-- table y --><!-- end -->" {
		t.Errorf("the page is %q, %v", text, err)
	}
}
