package columns

import (
	"cmp"
	"flag"
	"fmt"
	"strings"
	"testing"

	"tarry/internal/pagetable"
)

var update = flag.Bool("update", false, "rewrite the table of docs/reference/job-columns.md")

// TestPage holds the table of docs/reference/job-columns.md against the fields.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("| column | unit | meaning |\n|---|---|---|\n")
	for _, f := range Fields() {
		name := "`" + f.Name + "`"
		if f.Needed {
			name = "**" + name + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, cmp.Or(f.Unit, "-"), f.Doc)
	}
	pagetable.Hold(t, "../../docs/reference/job-columns.md", "columns", b.String(), *update,
		"go test ./traces/columns -run TestPage -update")
}
