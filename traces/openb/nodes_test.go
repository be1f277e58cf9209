package openb

import (
	"testing"

	"tarry/sim/entry"
	"tarry/traces/tracetest"
)

func nodeList() tracetest.Nodes {
	return tracetest.Nodes{Read: parseNodes,
		Sample: "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\nn1,96000,786432,8,V100M32\n" +
			"n2,32000,131072,0,\nn3,64000,262144,2,P100\nn4,64000,262144,2,P100\nn5,64000,262144,2,p100\n" +
			"n6,64000,262144,2,P100\n",
		Want: "3x2 P100 cpu 64000 mem 262144 + 1x2 p100 cpu 64000 mem 262144 | 1x8 V100M32 cpu 96000 mem 786432 | " +
			"1x2 P100 cpu 64000 mem 262144",
		Account: []string{"sample.txt: 6 nodes kept of 7 rows\n", "1 dropped: the node has no GPU (sample.txt:4)",
			"note: network: the file states none", "4 of one type make a rack", "GPUs: 10 of P100, 8 of V100M32"}}
}

func TestNodes(t *testing.T) {
	n := nodeList()
	n.Test(t)
	head := "sn,cpu_milli,memory_mib,gpu,model\n"
	n.Wrong(t, map[string]string{
		"sn,gpu,memory_mib,model\na,1,1,x\n": `f:1: column "cpu_milli" is missing, the header has "sn,gpu,memory_mib,model"`,
		head + "a,1,1,65,T4\nb,x,1,1,T4\n": `f:2: column "gpu" is "65", expected a whole number from 0 to 64` + "\n" +
			`f:3: column "cpu_milli" is "x", expected a whole number from 0 to 1000000000`,
		head + "a,1,1,1,T4\na,1,1,1,T4\n": `f:3: node "a" appears twice, expected unique names`,
		head + ",1,1,1,T4\n":              "f:2: the name of the node has 0 bytes, expected 1 to 1024 of UTF-8 text",
		head + "a,1,1,0,\n": "f: no node with a GPU can be kept of 1 rows: 1 left out: the node has no GPU " +
			"(f:2)",
		head: "f: no node with a GPU can be kept: it holds no rows",
	})
}

// The trace's own list, in place.
func TestSharedNodes(t *testing.T) {
	c, report, err := Nodes(tracetest.Shared(t, "alibaba-gpu-2023/openb_node_list_gpu_node.csv"),
		entry.ClusterOptions{PerRack: 4})
	if err != nil || c.Spec.GPUs() != 6212 || report.Kept != 1213 || c.Name != "openb_node_list_gpu_node" {
		t.Errorf("%q with %d GPUs in %d nodes: %v", c.Name, c.Spec.GPUs(), report.Kept, err)
	}
}

func FuzzNodes(f *testing.F) { nodeList().Fuzz(f) }
