package slurmnodes

import (
	"strings"
	"testing"

	"tarry/sim/entry"
	"tarry/traces/nodes"
	"tarry/traces/tracetest"
)

const sinfoSample = `NODELIST   PARTITION GRES               CPUS MEMORY STATE
gpu01      gpu*      gpu:a100:4(S:0-1)  64   515000 idle
gpu01      debug     gpu:a100:4(S:0-1)  64   515000 idle
gpu02      gpu*      gpu:a100:4(S:0-1)  64   515000 mixed
gpu03      gpu*      gpu:a100:4(S:0-1)  64   515000 drained*
mig01      mig       gpu:a100:2,gpu:1g.10gb:7 64 515000 idle~
cpu01      cpu       (null)             64   256000 idle
old01      gpu*      gpu:v100:8         80   768000 alloc
`

func sinfoNodes() tracetest.Nodes {
	return tracetest.Nodes{Read: readSinfo, Sample: sinfoSample,
		Want: "2x4 a100 cpu 64000 mem 515000 + 1x2 a100 cpu 42666 mem 343332 + 1x1 a100 cpu 21333 mem 171666 " +
			"mig a100-80gb | 1x8 v100 cpu 80000 mem 768000",
		Account: []string{"4 nodes kept of 6 rows\n", "1 dropped: the node takes no jobs (drained); down=true keeps it " +
			"(sample.txt:5)", "1 dropped: the node has no GPU (sample.txt:7)", "1 nodes have MIG instances",
			"1 nodes have GPUs of several types", "nodes by partition: gpu (4), debug (1), mig (1), cpu (1)"}}
}

func TestSinfo(t *testing.T) {
	n := sinfoNodes()
	n.Test(t)
	n.Wrong(t, map[string]string{
		"what,else\n1\n": `f:1: "what,else" is no header of sinfo, expected the output of sinfo -N -o "%N|%P|%G|%c|%m|%T"`,
		"NODELIST PARTITION STATE\na b idle\n": `f: no column GRES, expected the output of sinfo -N -o ` +
			`"%N|%P|%G|%c|%m|%T"`,
		"NODELIST GRES CPUS\na gpu:99 2\nb gpu:1 x\na[2 gpu:1 3\n": `f:2: column "GRES" is "gpu:99", expected at most 64 of ` +
			`"gpu:99"` + "\n" + `f:3: column "CPUS" is "x", expected a whole number from 0 to 1000000000` + "\n" +
			`f:4: column "NODELIST" is "a[2", expected a closing bracket in "a[2"`,
		"NODELIST GRES CPUS\na gpu:1 2\na gpu:2 2\n": `f:3: column "NODELIST" is "a", expected the same GPUs, CPUs and ` +
			`memory as on line 2`,
		"NODELIST GRES CPUS\na gpu:nvidia_a100-sxm4idle\n": `f:2: column "row" is "a gpu:nvidia_a100-sxm4idle", expected 3 ` +
			`fields, as the header has: longer values run together with -O, print the nodes with sinfo -N -o ` +
			`"%N|%P|%G|%c|%m|%T"`,
	})
}

// Orders of columns, headers and forms that sinfo prints.
func TestSinfoForms(t *testing.T) {
	for text, want := range map[string]string{
		"GRES|STATE|NODELIST\ngpu:2|idle|a\n":                                           "1x2",
		"HOSTNAMES MEMORY GRES\na 1000+ gpu:t4:2\nb 1000 gpu:T4:2\n":                    "1x2 t4 mem 1000 + 1x2 T4 mem 1000",
		"NODELIST NODES GRES CPUS(A/I/O/T)\ngpu[1-3] 3 gpu:t4:1 4/60/0/64\n":            "3x1 t4 cpu 64000",
		"Fri Nov 27 10:00:00 2026\nNODELIST GRES STATE REASON\na gpu:1 idle none\n":     "1x1",
		"NODELIST GRES STATE REASON\na gpu:1 down* Not responding\nb gpu:2 idle none\n": "1x2",
		`{"meta": {}, "sinfo": [{"node": {"state": ["IDLE"]}, "nodes": {"nodes": ["a", "b"]}, "cpus": {"minimum": 8},
"memory": {"minimum": 900}, "gres": {"total": "gpu:a40:2"}, "partition": {"name": "p"}}]}`: "2x2 a40 cpu 8000 mem 900",
	} {
		c, _, err := nodes.Parse("f", strings.NewReader(text), entry.ClusterOptions{PerRack: 4}, readSinfo)
		if got := tracetest.Racks(&c); err != nil || got != want {
			t.Errorf("%q gives %s, %v, want %s", text, got, err, want)
		}
	}
	c, report, err := nodes.Parse("f", strings.NewReader(sinfoSample), entry.ClusterOptions{Partition: "debug"},
		readSinfo)
	if err != nil || c.Spec.GPUs() != 4 ||
		!strings.Contains(report.String(), "4 dropped: the node is not in partition debug") {
		t.Errorf("partition debug: %d GPUs, %v\n%v", c.Spec.GPUs(), err, report)
	}
	c, _, err = nodes.Parse("f", strings.NewReader(sinfoSample), entry.ClusterOptions{Down: true}, readSinfo)
	if err != nil || c.Spec.GPUs() != 23 || len(c.Spec.Racks) != 1 {
		t.Errorf("with nodes that are down: %d GPUs in %d racks, %v", c.Spec.GPUs(), len(c.Spec.Racks), err)
	}
}

const scontrolSample = `NodeName=gpu01 Arch=x86_64 CoresPerSocket=32
   CPUAlloc=4 CPUEfctv=64 CPUTot=64 CPULoad=1.02
   AvailableFeatures=a,b
   Gres=gpu:h100:8(S:0-1)
   OS=Linux 5.15.0-91 #101-Ubuntu SMP Tue Nov 14 13:30:08 UTC 2023
   RealMemory=2063000 AllocMem=0 FreeMem=1 Sockets=2 Boards=1
   State=MIXED ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A
   Partitions=gpu,debug
   CfgTRES=cpu=64,mem=2063000M,billing=64,gres/gpu=8,gres/gpu:h100=8

NodeName=gpu02 CPUTot=64 Gres=(null) RealMemory=2063000 State=IDLE Partitions=gpu
   CfgTRES=cpu=64,mem=2063000M,billing=64,gres/gpu=8,gres/gpu:h100=8

NodeName=gpu03 CPUTot=64 Gres=gpu:h100:8 RealMemory=2063000 State=IDLE+DRAIN Partitions=gpu
   Reason=bad GPU id=3 [root@2026-01-01T00:00:00]

NodeName=gpu04 CPUTot=64 Gres=gpu:h100:8 RealMemory=2063000 State=IDLE+CLOUD+POWERED_DOWN Partitions=gpu

SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=gpu[01-02]
SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=gpu[03-05]
SwitchName=spine Level=1 LinkSpeed=1 Nodes=gpu[01-05] Switches=leaf[1-2]
`

func scontrolNodes() tracetest.Nodes {
	return tracetest.Nodes{Read: readScontrol, Sample: scontrolSample,
		Want: "2x8 h100 cpu 64000 mem 2063000 | 1x8 h100 cpu 64000 mem 2063000",
		Account: []string{"3 nodes kept of 4 rows\n", "1 dropped: the node takes no jobs (drain)",
			"1 nodes of the topology are not in the list of nodes", "nodes by partition: gpu (4), debug (1)"}}
}

func TestScontrol(t *testing.T) {
	n := scontrolNodes()
	n.Test(t)
	n.Wrong(t, map[string]string{
		"what\n":                 `f:1: "what" stands before the first node, expected NodeName=NAME, as scontrol show nodes prints it`,
		"SwitchName=a Nodes=b\n": "f:1: no NodeName=, expected the output of scontrol show nodes",
		"NodeName=a CPUTot=x Gres=gpu:1\n\nNodeName=b Gres=gpu:1 RealMemory=-1 CPUTot=2\n": `f:1: column "CPUTot" is ` +
			`"x", expected a whole number from 0 to 1000000000` + "\n" +
			`f:3: column "RealMemory" is "-1", expected a whole number from 0 to 1000000000`,
		"{\"nodes\": [{\"name\": 3}]}": `f:1: column "nodes" is "{\"name\": 3}", expected a node as scontrol --json prints ` +
			`it (json: cannot unmarshal number into Go struct field showNode.name of type string)`,
		"{\"jobs\": []}": "f: no list \"nodes\" or \"sinfo\", expected the output of scontrol show nodes --json or " +
			"sinfo --json",
	})
	for text, want := range map[string]string{
		"NodeName=a[1-2] Gres=gpu:l4:1 CPUs=8 RealMemory=10 State=UNKNOWN\n":                      "2x1 l4 cpu 8000 mem 10",
		"NodeName=a CPUTot=2 Gres=gpu:1 State=IDLE\nNodeName=b CPUTot=2 Gres=gpu:1 State=IDLE*\n": "1x1 cpu 2000",
		`{"nodes": [{"name": "a", "gres": "", "tres": "cpu=4,gres/gpu=2", "cpus": 4,
"real_memory": {"set": true, "number": 7}, "state": "IDLE"}]}`: "1x2 cpu 4000 mem 7",
	} {
		c, _, err := nodes.Parse("f", strings.NewReader(text), entry.ClusterOptions{PerRack: 4}, readScontrol)
		if got := tracetest.Racks(&c); err != nil || strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("%q gives %s, %v, want %s", text, got, err, want)
		}
	}
}

func FuzzSinfo(f *testing.F)    { sinfoNodes().Fuzz(f, `{"sinfo": [{"nodes": {"nodes": ["a"]}}]}`) }
func FuzzScontrol(f *testing.F) { scontrolNodes().Fuzz(f, `{"nodes": [{"name": "a"}]}`) }
