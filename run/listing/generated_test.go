package listing

import (
	"flag"
	"os"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/run/config"
)

var update = flag.Bool("update", false, "rewrite docs/reference/settings.md and the keyword arguments of Python")

// TestGenerated holds the files that are made from the tables of settings.
func TestGenerated(t *testing.T) {
	c := config.Default()
	for path, want := range map[string]string{
		"../../docs/reference/settings.md":    Page(c.Settings()),
		"../../python/src/tarry/_keywords.py": Python(shipped.All(), c.Settings()),
		"../../python/src/tarry/_keys.py":     PythonTables(),
		"../../python/src/tarry/lists.py":     PythonLists(shipped.All()),
	} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what the tables of settings say (%v): make settings", path, err)
		}
	}
}
