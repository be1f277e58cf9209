package report

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The page states by which rule jobs are elastic, and of which table costs are; nothing where
// neither was set.
func TestElasticIsSaid(t *testing.T) {
	for text, want := range map[string]string{
		`{"policies":["a"],"elastic":"min=1,max=2x","cost_table":"costs.csv"}`: "[{elastic jobs min=1,max=2x} " +
			"{costs of changes costs.csv}] [a]",
		`{"policies":["a"]}`: "[] [a]",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		order, said, err := givenConfig(dir, nil)
		if got := fmt.Sprint(said, order); err != nil || got != want {
			t.Errorf("%s gives %s, %v, expected %s", text, got, err, want)
		}
	}
}
