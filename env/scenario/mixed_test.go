package scenario

import (
	"strings"
	"testing"

	"tarry/traces/synth"
)

// Window i of n sources is window i / n of source i mod n; the part has n times the windows of the
// shortest.
func TestMixedTakesTurns(t *testing.T) {
	var of Mixed
	for k, count := range []int{3, 2, 5} {
		law, err := synth.Parse("poisson:jobs=20,gpus=8")
		if err != nil {
			t.Fatal(err)
		}
		of = append(of, Synthetic{Config: law, Seed: uint64(k), Count: count})
	}
	if n := of.Windows(Train); n != 6 {
		t.Fatalf("%d windows, expected 6", n)
	}
	for i := range 6 {
		got, err := of.Window(Train, i)
		want, err2 := of[i%3].Window(Train, i/3)
		if err != nil || err2 != nil || got.Hash() != want.Hash() {
			t.Errorf("window %d is not window %d of source %d (%v, %v)", i, i/3, i%3, err, err2)
		}
	}
}

// A cluster's file takes its network from a named cluster, and changes one link.
func TestFabricOfANamedCluster(t *testing.T) {
	file := written(t, "c.yaml", "racks:\n  - {machines: [{count: 2, gpus: 8, type: h100}]}\nfabric:\n  base: dgx-h100\n"+
		"  links: {network: {gb_per_s: 25}}\n")
	c, err := ReadCluster(file)
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range []float64{450, 450, 50, 25} {
		if got := c.Fabric.Links[level].GBps; got != want {
			t.Errorf("level %d has %v GB/s, want %v", level, got, want)
		}
	}
	_, err = ReadCluster(written(t, "d.yaml", "racks:\n  - {machines: [{count: 2, gpus: 8}]}\nfabric: {base: dgx-h10}\n"))
	if err == nil || !strings.Contains(err.Error(), `did you mean "dgx-h100"?`) {
		t.Errorf("a wrong name: %v", err)
	}
}
