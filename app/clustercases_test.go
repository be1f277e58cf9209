package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/traces/tracetest"
)

// A list of nodes is a cluster by its name or by its content, for jobs of the same trace: a job
// goes to its type, spelled in any case, and one of a type that no node has is refused.
func TestNodesAsCluster(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"nodes.csv": "sn,cpu_milli,memory_mib,gpu,model\na,64000,262144,2,V100M16\nb,64000,262144,2,T4\nc,64000,262144,0,\n",
		"pods.csv": "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time," +
			"scheduled_time\np,4000,1000,1,1000,v100m16,LS,Succeeded,0,100,0\n" +
			"q,4000,1000,1,1000,P100,LS,Succeeded,0,100,0\nr,65000,1000,1,1000,T4,LS,Succeeded,0,100,0\n",
		"run.yaml": "trace: openb:pods.csv\ncluster: nodes.csv\nspeed: counting\npolicies: [fifo]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"compare", "--trace", "pods.csv", "--cluster", "openb:nodes.csv,rack=0", "--speed", "counting", "--policy", "fifo"},
		{"compare", "--config", "run.yaml"},
	} {
		s := good(t, dir, args...)
		for _, want := range []string{"nodes.csv: 2 nodes kept of 3 rows", "GPUs: 2 of T4, 2 of V100M16",
			`1 jobs refused, no GPU of type "P100" in the cluster (types: V100M16, T4)`,
			"1 jobs refused, more CPU for each GPU than a machine has (64000 thousandths of a core)"} {
			if !strings.Contains(s.errors, want) {
				t.Errorf("%q: no %q in\n%s", args, want, s.errors)
			}
		}
	}
	if s := good(t, dir, "trace", "info", "--cluster", "nodes.csv", "pods.csv"); !strings.Contains(s.out, "on 4 GPUs") &&
		!strings.Contains(s.errors, "2 nodes kept") {
		t.Errorf("trace info prints\n%s%s", s.out, s.errors)
	}
}

// The jobs and the platform of a user of Batsim, and the jobs of a run as Batsim writes them.
func TestBatsimInAndOut(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "compare", "--trace", tracetest.Case(t, "11-batsim/batsim.json"), "--cluster",
		tracetest.Case(t, "11-batsim/plat.xml"), "--speed", "counting", "--policy", "fifo", "--out", "out")
	s := good(t, dir, "export", "evalys", "--out", "jobs", "out")
	text, err := os.ReadFile(filepath.Join(dir, "jobs", "fifo_jobs.csv"))
	if err != nil || s.out != filepath.Join("jobs", "fifo_jobs.csv")+"\n" {
		t.Fatalf("%v: %s", err, s.out)
	}
	if got := string(text); strings.Count(got, "\n") != 2 ||
		!strings.Contains(got, ",0,2,-1,1,COMPLETED_SUCCESSFULLY,0,100,100,0,100,1,0-1\n") {
		t.Errorf("jobs are\n%s", got)
	}
	if s := tarry(t, dir, "export", "evalys", "--out", "jobs", "jobs"); s.code != exitUsage ||
		!strings.Contains(s.errors, "jobs has no table jobs") {
		t.Errorf("a folder without tables: exit code %d, %s", s.code, s.errors)
	}
}
