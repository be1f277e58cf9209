package columns

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of docs/reference/job-columns.md")

// TestPage holds the table of docs/reference/job-columns.md against the fields.
func TestPage(t *testing.T) {
	const file, begin, end = "../../docs/reference/job-columns.md", "<!-- table columns -->\n", "<!-- end -->"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(page), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table between %q and %q", file, begin, end)
	}
	var b strings.Builder
	b.WriteString("| column | unit | meaning |\n|---|---|---|\n")
	for _, f := range Fields() {
		name := "`" + f.Name + "`"
		if f.Needed {
			name = "**" + name + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, cmp.Or(f.Unit, "-"), f.Doc)
	}
	want := head + begin + b.String() + end + tail
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(page) {
		t.Errorf("the table of %s is another: go test ./traces/columns -run TestPage -update writes it", file)
	}
}
