package sweep

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMark: what an engine states of a cell stands in its STATUS and at the end of its log.
func TestMark(t *testing.T) {
	f := &Folder{Dir: t.TempDir(), ids: []string{"seed=1"}}
	for range 2 {
		if err := f.Mark(0, Status{State: Failed, Exit: exitPermanent, Error: "out of memory"}); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := readStatus(f.CellDir(0)); err != nil || s.State != Failed || s.Exit != exitPermanent ||
		s.Error != "out of memory" || !s.Over(9) {
		t.Errorf("STATUS %+v, %v", s, err)
	}
	log, err := os.ReadFile(filepath.Join(f.CellDir(0), logName))
	if want := "failed: out of memory\nfailed: out of memory\n"; err != nil || string(log) != want {
		t.Errorf("log %q, %v, expected %q", log, err, want)
	}
}
