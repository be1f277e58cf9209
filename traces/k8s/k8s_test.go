package k8s

import (
	"fmt"
	"strings"
	"testing"

	"tarry/sim/entry"
	"tarry/traces/intake"
	"tarry/traces/nodes"
	"tarry/traces/tracetest"
)

// at is a time of the samples: so many seconds after 2024-03-01T08:00:00Z, below an hour.
func at(s int) string { return fmt.Sprintf("2024-03-01T08:%02d:%02dZ", s/60, s%60) }

// madePod is a pod of the sample: more are fields of its metadata, spec and requests.
func madePod(name string, created, from, to int, requests, metadata, spec string) string {
	state := fmt.Sprintf(`{"terminated": {"startedAt": %q, "finishedAt": %q, "exitCode": 0}}`, at(from), at(to))
	phase := "Succeeded"
	switch {
	case from < 0:
		state, phase = `{"waiting": {}}`, "Pending"
	case to < 0:
		state, phase = fmt.Sprintf(`{"running": {"startedAt": %q}}`, at(from)), "Running"
	}
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": %q, "namespace": "ml",
"creationTimestamp": %q%s}, "spec": {"containers": [{"name": "c", "resources": {"requests": {%s}}}]%s},
"status": {"phase": %q, "containerStatuses": [{"restartCount": 0, "state": %s}]}}`, name, at(created), metadata, requests,
		spec, phase, state)
}

func list(items ...string) string {
	return "{\"apiVersion\": \"v1\",\n\"items\": [\n" + strings.Join(items, ",\n") + "\n],\n\"kind\": \"List\"}\n"
}

func sample() string {
	const worker = `, "labels": {"training.kubeflow.org/job-name": "bert"}`
	return list(
		madePod("a", 0, 10, 70, `"nvidia.com/gpu": "1", "cpu": "31850m", "memory": "16Gi"`, "", `, "priority": 1000,
"nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}`),
		madePod("bert-0", 5, 20, 120, `"nvidia.com/gpu": 4, "cpu": 8`, worker, `, "nodeName": "n1"`),
		madePod("bert-1", 6, 20, 120, `"nvidia.com/gpu": 4, "cpu": 8`, worker, `, "nodeName": "n2"`),
		madePod("retry-x", 7, 20, 30, `"nvidia.com/gpu": "2"`, `, "ownerReferences": [{"kind": "Job", "name": "retry"}]`, `, "nodeName": "n3"`),
		madePod("retry-y", 31, 40, 60, `"nvidia.com/gpu": "2"`, `, "ownerReferences": [{"kind": "Job", "name": "retry"}]`, `, "nodeName": "n1"`),
		madePod("web-1", 50, 60, -1, `"nvidia.com/gpu": "1"`, `, "ownerReferences": [{"kind": "ReplicaSet", "name": "web"}]`,
			""),
		madePod("frac", 51, 60, 160, "", `, "annotations": {"alibabacloud.com/gpu-milli": "460"}`, ""),
		madePod("mig", 52, 60, 160, `"nvidia.com/mig-3g.20gb": "1"`, "", ""),
		madePod("cpu", 53, 60, 260, `"cpu": "1"`, "", ""),
		madePod("wait", 54, -1, -1, `"nvidia.com/gpu": "1"`, "", ""))
}

func TestParse(t *testing.T) {
	const unlisted = 2 // cpu, wait
	text := sample()
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: text, Unlisted: unlisted,
		Duplicate: strings.Replace(text, `"name": "mig"`, `"name": "frac"`, 1)})
	w, report, err := Parse("f", strings.NewReader(text), intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, j := range w.Jobs {
		got += fmt.Sprintf("%s %v %d %v %s share %d type %q cpu %d mem %d priority %d gpumem %d\n", j.ID, j.Submit, j.GPUs,
			j.Work, j.State, j.ShareMilli, j.GPUType, j.CPUMilli, j.MemMiB, j.Priority, j.GPUMiB)
	}
	want := `ml/a 0s 1 60s Succeeded share 0 type "NVIDIA-A100-SXM4-80GB" cpu 31850 mem 16384 priority 1000 gpumem 0
ml/bert 5s 8 800s Succeeded share 0 type "" cpu 2000 mem 0 priority 0 gpumem 0
ml/retry 7s 2 60s Succeeded share 0 type "" cpu 0 mem 0 priority 0 gpumem 0
ml/web-1 50s 1 200s Running share 0 type "" cpu 0 mem 0 priority 0 gpumem 0
ml/frac 51s 1 46s Succeeded share 460 type "" cpu 0 mem 0 priority 0 gpumem 0
ml/mig 52s 1 42.8s Succeeded share 428 type "" cpu 0 mem 0 priority 0 gpumem 19968
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	tracetest.Records(t, w, "ml/a 10s -", "ml/bert 15s n1*4,n2*4", "ml/retry 13s n3*2", "ml/web-1 10s -", "ml/frac 9s -",
		"ml/mig 8s -")
	account := report.String()
	for _, want := range []string{"1 dropped: the pod asks for no GPU (f:", "1 dropped: the pod never started",
		"2 pods are joined to jobs of other pods", "1 jobs were still running when the list was made"} {
		if !strings.Contains(account, want) {
			t.Errorf("no %q in\n%s", want, account)
		}
	}
}

func TestWrong(t *testing.T) {
	one := func(old, text string) string {
		return strings.Replace(list(madePod("a", 0, 10, 70, `"nvidia.com/gpu": "1"`, "",
			"")), old, text, 1)
	}
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"list", "[]", "f:1: the file starts with [, expected a JSON object: {"},
		{"none", "{}", "f: no job can be kept: it holds no rows"},
		{"empty", list(), "f: no job can be kept: it holds no rows"},
		{"kind", one(`"kind": "Pod"`, `"kind": "Node"`),
			"f:3: the element is a Node, expected a Pod as kubectl get pods -o json prints it"},
		{"number", list("\n3"), "f:4: the element is no Pod: json: cannot unmarshal number into Go value of type k8s.pod"},
		{"name", one(`"name": "a"`, `"name": ""`), "f:3: the pod has no name"},
		{"gpus", one(`"nvidia.com/gpu": "1"`, `"nvidia.com/gpu": "one"`),
			`f:3: resource "nvidia.com/gpu" is "one", expected a whole number`},
		{"cpu", one(`"nvidia.com/gpu": "1"`, `"nvidia.com/gpu": "1", "cpu": "x"`),
			`f:3: requests of cpu "x" and memory "", expected amounts such as 31850m and 263Gi`},
		{"mig", one(`"nvidia.com/gpu": "1"`, `"nvidia.com/mig-big": "1"`),
			`f:3: resource "nvidia.com/mig-big" is "1", expected a number of instances of a MIG profile`},
		{"time", one(at(10), "yesterday"),
			`f:3: startedAt is "yesterday", expected a time such as 2024-03-01T08:00:00Z`},
		{"order", one(at(70), at(5)), "f:3: the pod ends before it starts"},
		{"milli", one(`"namespace": "ml"`, `"namespace": "ml", "annotations": {"alibabacloud.com/gpu-milli": "1001"}`),
			`f:3: annotation alibabacloud.com/gpu-milli is "1001", expected 1 to 1000`},
		{"fraction", one(`"namespace": "ml"`, `"namespace": "ml", "annotations": {"gpu-fraction": "2"}`),
			`f:3: annotation gpu-fraction is "2", expected more than 0 to 1`},
		{"many", one(`"nvidia.com/gpu": "1"`, `"nvidia.com/gpu": "1e9"`),
			"f:3: the pod asks for 1000000000 GPUs, expected at most 1000000"},
	})
}

// Types by affinity, and containers that were started again.
func TestPodForms(t *testing.T) {
	for _, c := range []struct{ old, text, want string }{
		{`"containers"`, `"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms":
[{"matchExpressions": [{"key": "nvidia.com/gpu.product", "operator": "In", "values": ["T4"]}]}]}}}, "containers"`, "T4 1m0s"},
		{`"containers"`, `"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms":
[{"matchExpressions": [{"key": "nvidia.com/gpu.product", "operator": "In", "values": ["T4", "P4"]}]}]}}}, "containers"`,
			" 1m0s"},
		{`"containerStatuses": [{"restartCount": 0`, `"startTime": "` + at(4) + `", "containerStatuses": [{"restartCount": 2`,
			" 1m6s"},
		{`"requests"`, `"limits"`, " 1m0s"},
		{`"containers"`, `"nodeSelector": {"nvidia.com/gpu.product": "A100-MIG-3g.20gb"}, "containers"`, "A100 0m25s"},
	} {
		text := strings.Replace(list(madePod("a", 0, 10, 70, `"nvidia.com/gpu": "1"`, "", "")), c.old, c.text, 1)
		w, _, err := Parse("f", strings.NewReader(text), intake.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s %s", w.Jobs[0].GPUType, (w.Jobs[0].Work * 1000).String()); got != c.want &&
			w.Jobs[0].GPUType+" "+seconds(w.Jobs[0].Work.Seconds()) != c.want {
			t.Errorf("%s gives %q, want %q", c.text, got, c.want)
		}
	}
}

func seconds(s float64) string { return fmt.Sprintf("%dm%ds", int(s)/60, int(s)%60) }

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, sample()) }

func madeNode(name, labels, allocatable, more string) string {
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": %q, "labels": {%s}}, "spec": {%s},
"status": {"allocatable": {%s}, "capacity": {"cpu": "1"}, "conditions": [{"type": "Ready", "status": "True"}]}}`, name, labels,
		more, allocatable)
}

func nodeList() tracetest.Nodes {
	const a100, gpus = `"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB", "nvidia.com/gpu.memory": "81920"`,
		`"cpu": "31850m", "memory": "263Gi", "nvidia.com/gpu": "8"`
	return tracetest.Nodes{Read: readNodes, Sample: list(
		madeNode("n1", a100+`, "example.com/rack": "r1"`, gpus, ""),
		madeNode("n2", a100+`, "example.com/rack": "r1"`, gpus, `"taints": [{"key": "gpu", "effect": "NoSchedule"}]`),
		madeNode("n3", a100+`, "example.com/rack": "r2"`, gpus, `"unschedulable": true`),
		madeNode("n4", `"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"`, `"nvidia.com/gpu": "14"`, ""),
		madeNode("n5", `"nvidia.com/gpu.product": "Tesla-T4-SHARED", "nvidia.com/gpu.count": "2"`, `"nvidia.com/gpu": "8"`,
			""),
		madeNode("n6", a100, `"nvidia.com/gpu": "1", "nvidia.com/mig-1g.10gb": "7"`, ""),
		madeNode("n7", "", `"cpu": "4"`, ""),
		strings.Replace(madeNode("n8", "", `"amd.com/gpu": "4"`, ""), "True", "Unknown", 1)),
		Want: "2x8 NVIDIA-A100-SXM4-80GB cpu 31850 mem 269312 gpumem 81920 | 1x2 NVIDIA-A100-SXM4-40GB mig a100-40gb | 1x2 " +
			"Tesla-T4 | 1x1 NVIDIA-A100-SXM4-80GB + 1x1 NVIDIA-A100-SXM4-80GB mig a100-80gb",
		Account: []string{"5 nodes kept of 8 rows", "1 dropped: the node takes no jobs (cordoned)",
			"1 dropped: the node takes no jobs (not ready)", "1 dropped: the node has no GPU", "1 nodes have taints",
			"2 nodes have MIG instances"}}
}

func TestNodes(t *testing.T) {
	n := nodeList()
	n.Test(t)
	n.Wrong(t, map[string]string{
		"{}": `f: no list "items" with a node, expected the output of kubectl get nodes -o json`,
		list("3"): `f:3: column "items" is "3", expected a Node (json: cannot unmarshal number into Go value of type ` +
			`k8s.node)`,
		list(madePod("a", 0, 1, 2, "", "", "")): `f:3: column "kind" is "Pod", expected Node, as kubectl get nodes -o json ` +
			`prints it`,
		list(madeNode("a", "", `"nvidia.com/gpu": "x"`, "")): `f:3: column "nvidia.com/gpu" is "x", expected a whole number of ` +
			`GPUs, or instances of a MIG profile`,
		list(madeNode("a", "", `"nvidia.com/gpu": "1", "cpu": "x"`, "")): `f:3: column "cpu" is "x", expected cores, such as 64 ` +
			`or 31850m`,
		list(madeNode("a", "", `"nvidia.com/gpu": "1", "memory": "x"`, "")): `f:3: column "memory" is "x", expected bytes, ` +
			`such as 263Gi`,
		list(madeNode("a", "", `"nvidia.com/gpu": "65"`, "")): `f:3: node "a" has more than 64 GPUs, expected at most as many`,
	})
	c, _, err := nodes.Parse("f", strings.NewReader(n.Sample), entry.ClusterOptions{PerRack: 4, Down: true}, readNodes)
	if err != nil || c.Spec.GPUs() != 8+8+8+2+2+2+4 {
		t.Errorf("with nodes that are down: %d GPUs, %v", c.Spec.GPUs(), err)
	}
}

func FuzzNodes(f *testing.F) { nodeList().Fuzz(f) }
