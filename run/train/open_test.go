package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
)

// A folder that is no run names the runs in it, or the one beside it that is called alike; a run that
// was stopped before its first validation names the command that continues it.
func TestOpenFaults(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"first/config.json", "first/windows.json", "first/curves/x", "second/curves/x"} {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte("{}"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ dir, which, want string }{
		{dir, "best", "is not the folder of a training run"},
		{dir, "last", "; it holds first, second"},
		{filepath.Join(dir, "frist"), "best", `; did you mean "first"?`},
		{filepath.Join(dir, "first"), "best", "the run was not validated yet: --resume continues it"},
		{filepath.Join(dir, "first"), "bst", `which is "bst", expected best or last; did you mean "best"?`},
	} {
		if _, err := Open(shipped.All(), c.dir, c.which); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: error %v, expected %s", c.dir, c.which, err, c.want)
		}
	}
}
