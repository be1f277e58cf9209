package specs

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"tarry/internal/pagetable"
)

var update = flag.Bool("update", false, "rewrite the table of docs/reference/power.md")

// TestPage holds the table of docs/reference/power.md against the specs.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("| spec | what | watts of a GPU: idle, busy at the least clock, at 1 | machine: on, boots, off | " +
		"numbers of GPUs |\n|---|---|---|---|---|\n")
	for _, r := range All() {
		s := r.Spec
		if r.Mark == Own {
			fmt.Fprintf(&b, "| `%s` | %s | | | %s |\n", r.Name, r.Doc, r.Mark)
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s | %.0f, %.0f at %.2g, %.0f | %.0f, %.0f for %g s, %.0f | %s |\n", r.Name, r.Doc,
			s.GPUIdleW, s.GPUIdleW+s.Curve[0].Watts, s.Curve[0].FreqFrac, s.GPUIdleW+s.BusyW(1), s.IdleW, s.BootW, s.BootS,
			s.OffW, r.Mark)
	}
	pagetable.Hold(t, "../../../docs/reference/power.md", "specs", b.String(), *update,
		"go test ./sim/power/specs -run TestPage -update")
}
