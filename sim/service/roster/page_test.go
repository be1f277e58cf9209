package roster

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"tarry/internal/pagetable"
	"tarry/sim/param"
	"tarry/sim/service/curves"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/reference/services.md")

// TestPage holds the table of options of docs/reference/services.md against the reader.
func TestPage(t *testing.T) {
	law, _ := curves.Named("day-night")
	defaults := map[string]param.Setting{}
	for _, o := range Options(law) {
		defaults[o.Key] = o
	}
	var b strings.Builder
	b.WriteString("| option | default of a name | meaning |\n|---|---|---|\n")
	for line := range strings.SplitSeq(Params+"\n"+SetParams, "\n") {
		key, doc, _ := strings.Cut(line, " ")
		def := defaults[key].Default
		if def == "" {
			def = "-"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", key, def, strings.ReplaceAll(strings.TrimSpace(doc), "|", "\\|"))
	}
	pagetable.Hold(t, "../../../docs/reference/services.md", "options", b.String(), *update,
		"go test ./sim/service/roster -run TestPage -update")
}
