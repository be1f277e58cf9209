package sweep

import (
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
)

// A folder around sweeps names them where one of them is expected.
func TestFolderAroundSweeps(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(shipped.All(), dir); err == nil || strings.Contains(err.Error(), "expected one of") {
		t.Errorf("error %v of an empty folder", err)
	}
	for _, name := range []string{"a", "b"} {
		planIn(t, filepath.Join(dir, name), tinyText)
	}
	want := "is no folder of a sweep: it has no sweep.json: file does not exist; expected one of " +
		filepath.Join(dir, "a") + ", " + filepath.Join(dir, "b")
	if _, err := Open(shipped.All(), dir); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, expected %s", err, want)
	}
}
