package scenario_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
)

// A topology by its short name equals a file that states all of it.
func TestTopologiesAreFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	const port = "    network: {gb_per_s: 25}\n"
	for name, file := range map[string]string{
		"leafspine:32x16x1,over=2": "racks: [{count: 32, machines: [{count: 16, gpus: 1, slots: 1}]}]\n" +
			"fabric:\n  links:\n" + port + "  spines: {count: 16, gb_per_s: 12.5}\n",
		"leafspine:4x4x8,spines=2,network=ethernet,seed=3": "racks: [{count: 4, " +
			"machines: [{count: 4, gpus: 8, slots: 2}]}]\nfabric:\n  base: ethernet-128\n" +
			"  links:\n    network: {gb_per_s: 1.5625}\n" +
			"  spines: {count: 2, gb_per_s: 3.125, seed: 3}\n",
		"rail:2x4x8,over=2": "racks: [{count: 2, machines: [{count: 4, gpus: 8, slots: 1}]}]\n" +
			"fabric:\n  links:\n" + port + "  spines: {count: 4, rails: 8, gb_per_s: 12.5}\n",
		"fattree:k=4,gpus=2,core_over=2": "racks: [{count: 8, machines: [{count: 2, gpus: 2, slots: 1}]}]\n" +
			"fabric:\n  links:\n" + port + "  spines: {count: 2, pod_racks: 2, cores: 2, gb_per_s: 25, core_gb_per_s: 12.5}\n",
		"domains:2x18x4,over=3": "racks: [{count: 2, machines: [{count: 18, gpus: 4, slots: 1}]}]\n" +
			"fabric:\n  domains: true\n  links:\n    rack: {gb_per_s: 300, latency_ns: 750}\n" + port +
			"  spines: {count: 18, gb_per_s: 8.333333333333334}\n",
		"domains:2x18x4,network=gb200-nvl72": "racks: [{count: 2, machines: [{count: 18, gpus: 4, slots: 1}]}]\n" +
			"fabric:\n  base: gb200-nvl72\n  spines: {count: 18, gb_per_s: 50}\n",
	} {
		path := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		short, _, err := scenario.FindCluster(simulation.All(), name)
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := scenario.FindCluster(simulation.All(), path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(short.Fabric, whole.Fabric) || !reflect.DeepEqual(short.Spec, whole.Spec) {
			t.Errorf("%s is\n%+v %+v, as a file\n%+v %+v", name, short.Spec, short.Fabric, whole.Spec, whole.Fabric)
		}
	}
	for name, want := range map[string]string{"fattre:k=4": `; did you mean "fattree"?`,
		"leafspine:4x4x8,spin=4": "expected one of"} {
		if _, _, err := scenario.FindCluster(simulation.All(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", name, err, want)
		}
	}
}
