// Package pagetable holds tables of pages against the code that they are made from. Such a table stands
// between the lines "<!-- table NAME -->" and "<!-- end -->".
package pagetable

import (
	"os"
	"strings"
	"testing"
)

// Hold fails the test where the table of a page is another, or writes it with update. again is the
// command that does so.
func Hold(t testing.TB, page, name, table string, update bool, again string) {
	t.Helper()
	begin, end := "<!-- table "+name+" -->\n", "<!-- end -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table between %q and %q", page, begin, end)
	}
	want := head + begin + table + end + tail
	switch {
	case want == string(text):
	case update:
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table %s of %s is another: %s writes it", name, page, again)
	}
}
