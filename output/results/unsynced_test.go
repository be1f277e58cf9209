package results

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tarry/output/durable"
)

// A batch that leaves its durability to another gives its files their names at once, and names its
// last file there: where that cannot be made durable, the file goes.
func TestCommitTo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	u := durable.New(dir)
	if u == nil {
		t.Skip("no file system is made durable as a whole here")
	}
	var b Batch
	table, last := filepath.Join(dir, "table"), filepath.Join(dir, "STATUS")
	for _, path := range []string{table, last} {
		if err := b.WriteFile(path, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(b.CommitTo(u), u.Sync()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{table, last} {
		if data, err := os.ReadFile(path); err != nil || string(data) != "x" {
			t.Errorf("%q, %v", data, err)
		}
	}
	if err := new(Batch).CommitTo(u); err != nil {
		t.Error("nothing to commit:", err)
	}
	if err := b.WriteFile(filepath.Join(t.TempDir(), "y"), nil); err != nil {
		t.Fatal(err)
	}
	if err := b.CommitTo(u); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+".gone"); err != nil {
		t.Fatal(err)
	}
	if err := u.Sync(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is gone: %v", err)
	}
}
