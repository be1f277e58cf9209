package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
)

const someNodes = "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\nn1,96000,786432,8,V100M32\n"

// What a cluster's text may be, and which goes before which.
func TestFindCluster(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"nodes.csv": someNodes, "2x2x2": someNodes, "log": someNodes,
		"a,b.csv": someNodes, "lab.yaml": "racks:\n  - machines: [{gpus: 4}]\n",
		"plain": "racks:\n  - machines: [{gpus: 3}]\n", "other.txt": "what,else\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for spec, want := range map[string]struct {
		gpus, racks int
		err         string
	}{
		"nodes.csv":                     {10, 2, ""},
		"openb:nodes.csv":               {10, 2, ""},
		"nodes.csv,rack=0":              {10, 1, ""},
		"nodes.csv,racks=0":             {0, 0, `unknown key "racks"`},
		"openb:nodes.csv,rack=0":        {10, 1, ""},
		"openb:a,b.csv":                 {10, 2, ""},
		filepath.Join(".", "nodes.csv"): {10, 2, ""},
		"2x2x2":                         {8, 2, ""},
		"v100:2x2x2":                    {8, 2, ""},
		"lab.yaml":                      {4, 1, ""},
		"plain":                         {3, 1, ""},
		"openb:nodes.csv,rack=-1":       {0, 0, `rack is "-1", expected`},
		"openb:nodes.csv,racks=2":       {0, 0, `unknown key "racks"`},
		"openb:absent.csv":              {0, 0, "open absent.csv: no such file or directory"},
		"openb:":                        {0, 0, "nothing after \"openb\", expected Alibaba GPU 2023: node list CSV"},
		"other.txt":                     {0, 0, "other.txt is read as YAML, as its first lines fit no format of nodes"},
		"opneb:nodes.csv":               {0, 0, `; did you mean "openb"?`},
		"absent.csv":                    {0, 0, `; there is no file "absent.csv"`},
	} {
		c, report, err := scenario.FindCluster(simulation.All(), spec)
		switch {
		case want.err != "":
			if err == nil || !strings.Contains(err.Error(), want.err) {
				t.Errorf("%s: error %v, expected %s", spec, err, want.err)
			}
		case err != nil:
			t.Errorf("%s: %v", spec, err)
		case c.Spec.GPUs() != want.gpus || len(c.Spec.Racks) != want.racks:
			t.Errorf("%s: %d GPUs in %d racks, expected %d in %d", spec, c.Spec.GPUs(), len(c.Spec.Racks), want.gpus,
				want.racks)
		case (report != nil) != (want.gpus == 10):
			t.Errorf("%s: account %v", spec, report)
		}
	}
}

// The hash of a scenario follows the file of nodes that it names, and the notes have its account.
func TestNodesInScenario(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("nodes.csv", someNodes)
	write("s.yaml", "cluster: openb:nodes.csv,rack=2\n")
	c := scenario.Default()
	if err := c.ReadFile("s.yaml"); err != nil {
		t.Fatal(err)
	}
	s, err := c.Build(simulation.All())
	if err != nil || s.Topology.GPUs() != 10 || !strings.Contains(strings.Join(s.Notes, "\n"),
		"cluster: nodes.csv: 2 nodes kept of 2 rows") {
		t.Errorf("%v, notes %q", err, s.Notes)
	}
	first, _ := scenario.Sum(simulation.All().Traces, "s.yaml")
	write("nodes.csv", someNodes+"n2,96000,786432,8,V100M32\n")
	if second, ok := scenario.Sum(simulation.All().Traces, "s.yaml"); !ok || first == second {
		t.Error("another file of nodes gives the same hash")
	}
}
