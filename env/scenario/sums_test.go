package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/traces"
)

// The hash of a scenario follows the content of each file that it names, and not where they lie.
func TestSum(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(path string) string {
		t.Helper()
		s, ok := Sum(traces.All(), path)
		if !ok {
			t.Fatalf("%s has no sum", path)
		}
		return s.SHA256
	}
	put("alone.yaml", "cluster: 2x2x4\nspeed: tiers\ntrace: synth:demo\n")
	if own, _ := SumFile("alone.yaml"); sum("alone.yaml") != own.SHA256 {
		t.Error("a scenario that names no file has another hash than its file")
	}
	if err := os.Mkdir("profiles", 0o777); err != nil {
		t.Fatal(err)
	}
	put("base.yaml", "costs: {start_s: 1}\n")
	put("lab.yaml", "racks: [{machines: [{gpus: 4}]}]\n")
	put("speeds.csv", "model\n")
	put("gpus.csv", "gpu,factor\n0,1\n")
	put("classes.csv", "model,class\n")
	put("costs.csv", "model,kind,gpus,seconds\n")
	put("limits.csv", "model,max_gpus\nBERT,4\n")
	put("jobs.csv", "id,submit_s,gpus,work_s\n")
	put(filepath.Join("profiles", "a.yaml"), "name: a\n")
	put("s.yaml", "scenario: base.yaml\ncluster: lab.yaml\nspeed: table:speeds.csv\nvariability: "+
		"gpus.csv,classes=classes.csv\nelastic: limits=limits.csv\ncosts: {table: costs.csv}\nprofiles: "+
		"[profiles]\ntrace: csv:jobs.csv\n")
	was := sum("s.yaml")
	for _, name := range []string{"s.yaml", "base.yaml", "lab.yaml", "speeds.csv", "gpus.csv", "classes.csv",
		"limits.csv", "costs.csv", "jobs.csv", filepath.Join("profiles", "a.yaml")} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		put(name, string(text)+"# changed\n")
		if sum("s.yaml") == was {
			t.Errorf("a change of %s is not in the hash", name)
		}
		put(name, string(text))
	}
	if sum("s.yaml") != was {
		t.Error("the hash is not that of the content")
	}
	put("round.yaml", "scenario: round.yaml\n")
	c := Default()
	if err := c.ReadFile("round.yaml"); err == nil || !strings.Contains(err.Error(),
		`round.yaml:1:1: scenario is "round.yaml", which is being read: round.yaml -> round.yaml`) {
		t.Errorf("a scenario that names itself gives %v", err)
	}
	if got := sum("round.yaml"); len(got) != 64 {
		t.Errorf("a scenario that names itself has the hash %q", got)
	}
}
