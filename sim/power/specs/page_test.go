package specs

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of docs/reference/power.md")

// TestPage holds the table of docs/reference/power.md against the specs.
func TestPage(t *testing.T) {
	const file, begin, end = "../../../docs/reference/power.md", "<!-- table specs -->\n", "<!-- end -->"
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
	want := head + begin + b.String() + end + tail
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(page) {
		t.Errorf("the table of %s is another: go test ./sim/power/specs -run TestPage -update writes it", file)
	}
}
