package clusters_test

import (
	"os"
	"path/filepath"
	"testing"

	"tarry/catalogue/clusters"
	"tarry/sim/entry"
	"tarry/traces/tracetest"
)

// Each format is recognised by its beginning, and by no other's.
func TestRecognise(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"openb":     "sn,cpu_milli,memory_mib,gpu,model\n",
		"sinfo":     "NODELIST   PARTITION GRES CPUS MEMORY STATE\n",
		"sinfo ":    `{"sinfo": [{"partition": {"name": "a"}}]}`,
		"scontrol":  "NodeName=a Arch=x86_64\n   CPUTot=4\n",
		"scontrol ": `{"nodes": [{"name": "a", "real_memory": 4}]}`,
		"k8s":       `{"apiVersion": "v1", "items": [{"status": {"allocatable": {}}}]}`,
		"batsim":    "<?xml version='1.0'?>\n<platform version=\"4.1\">",
		"":          "id,submit_s,gpus\n",
	} {
		path := filepath.Join(dir, "f")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := name
		if n := len(name); n > 0 && name[n-1] == ' ' {
			want = name[:n-1]
		}
		if f, ok, err := clusters.All().Recognise(path); err != nil || f.Name != want || ok != (want != "") {
			t.Errorf("%q is recognised as %q, %v, want %q", text, f.Name, err, want)
		}
	}
	for _, f := range clusters.All() {
		if f.Doc == "" || f.Open == nil {
			t.Errorf("%s has no doc or no reader", f.Name)
		}
	}
}

// The platform that a user sent, in place.
func TestCases(t *testing.T) {
	f, path, _, ok := clusters.All().Find("batsim:" + tracetest.Case(t, "11-batsim/plat.xml"))
	if !ok {
		t.Fatal("no format batsim")
	}
	c, _, err := f.Open(path, entry.ClusterOptions{PerRack: 4})
	if err != nil || tracetest.Racks(&c) != "8x1" || c.Fabric.Links[2].GBps != 1 {
		t.Errorf("racks %s, network %v, %v", tracetest.Racks(&c), c.Fabric.Links, err)
	}
}
