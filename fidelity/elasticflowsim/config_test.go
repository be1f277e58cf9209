package elasticflowsim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/param"
)

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	table := "global_batch_size,1,2\n64,2,3\n"
	if err := os.WriteFile(filepath.Join(dir, "throughputs_A100_bert.csv"), []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"": "", "table=" + dir: "",
		"slot_s=1.5,table=" + dir: "expected whole seconds", "table=" + dir + "/none": "no such file",
		"place=near,table=" + dir: `unknown key "place"`, "surplus=none,table=" + dir: `surplus is "none"`} {
		_, err := New(param.Parse("policy elasticflow-sim", text), cluster.BestFit)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
}
