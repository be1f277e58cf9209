package train

import (
	"tarry/catalogue/shipped"

	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A trace that changed under a run is reported, and what the run left stays complete: with the
// trace as it was, the run can be resumed and opened.
func TestChangedTrace(t *testing.T) {
	trace, dir := filepath.Join(t.TempDir(), "jobs.csv"), t.TempDir()
	write := func(workS int) {
		text := "id,submit_s,gpus,work_s\n"
		for i := range 300 {
			text += fmt.Sprintf("%d,%d,%d,%d\n", i, 400*i, 1+i%5, workS)
		}
		if err := os.WriteFile(trace, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(1500)
	cfg := short(t, "tarry/DelayTimer-v0:cluster=2x2x4,warm=1,horizon=4,lease_s=1800,gap=0,trace="+trace)
	if _, err := Run(context.Background(), cfg, Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	write(1600)
	if _, err := Run(context.Background(), cfg, Options{Out: dir, Resume: true}); err == nil ||
		!strings.Contains(err.Error(), "of other windows") {
		t.Errorf("another trace gives %v", err)
	}
	same(t, "another trace", before, contents(t, dir))
	if _, err := Open(shipped.All(), dir, "best"); err != nil {
		t.Error(err)
	}
}
