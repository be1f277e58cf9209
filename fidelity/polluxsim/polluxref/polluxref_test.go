package polluxref

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
	"tarry/internal/sharedata"
)

// Two jobs by themselves, whose runs follow from the measured step times by hand: 30 s of delay,
// then epochs that end at full seconds.
const (
	polluxTrace = "name,time,application,num_replicas,batch_size\ncifar10-0,107,cifar10,6,2048\nncf-2,135,ncf,1,32768\n"
	polluxSome  = "job,submit_s,end_s,jct_s,application,restarts,gpu_seconds\ncifar10-0,107,1060,953,cifar10,0," +
		"5640\nncf-2,135,257,122,ncf,0,77\n"
)

func polluxFolder(t *testing.T, files map[string]string) (dir, shared string) {
	t.Helper()
	shared = filepath.Dir(filepath.Dir(sharedata.Path(t, "profiles", "pollux-sim")))
	return reftest.Write(t, files), shared
}

func TestPollux(t *testing.T) {
	const published = "policy,load,workload,job,jct_s\ntiresias,1.0,9,cifar10-0,953\ntiresias,1.0,9,ncf-2,122\n"
	const summary = "workload,load,policy,jobs,mean_jct_s,last_end_s,p99_jct_s,restarts,attained_gpu_seconds\n9,1.0," +
		"tiresias,2,537.5,1060,953,0,5717\n8,1.0,tiresias,2,1,1,1,1,1\n"
	const means = "policy,setting,workload,jobs,mean_jct_s\ntiresias,load1.0,9,2,537.5\npollux,inter25,9,2,1\n"
	root, shared := polluxFolder(t, map[string]string{"theirs/summary.csv": summary, "theirs/authors_means.csv": means,
		"theirs/mine.csv": polluxTrace, "theirs/mine__tiresias.csv": polluxSome, "theirs/workload-9.csv": polluxTrace,
		"theirs/authors_jct.csv": published})
	const left = "theirs: not compared: 1 rows of summary.csv: no job of the run of tiresias on the workload is " +
		"stored\n" +
		"theirs: not compared: 1 means of authors_means.csv: pollux at the setting inter25 has no stored run, and " +
		"is not run anew"
	for change, want := range map[string]string{
		"": "theirs: 14 of 14 agree, worst 0 s; completion times 4 of 4, restarts 2 of 2, GPU-seconds 2 of " +
			"2, means 6 of 6\n" + left,
		"953,cif": "theirs: 13 of 14 agree, worst 1 s; completion times 3 of 4, restarts 2 of 2, GPU-seconds 2 of " +
			"2, means 6 of 6\n" + left,
		"ncf,0,77": "theirs: 13 of 14 agree, worst 0 s; completion times 4 of 4, restarts 1 of 2, GPU-seconds 2 of " +
			"2, means 6 of 6\n" + left,
	} {
		text := strings.Replace(polluxSome, change, map[string]string{"": "", "953,cif": "952,cif",
			"ncf,0,77": "ncf,1,77"}[change], 1)
		if err := os.WriteFile(filepath.Join(root, "theirs", "mine__tiresias.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, details strings.Builder
		good, err := setup(shared).Run(t.Context(), root, &out, &details)
		if err != nil || strings.TrimSpace(out.String()) != want || good != (change == "") {
			t.Errorf("%q: %v, %s%s, expected %s", change, err, out.String(), details.String(), want)
		}
	}
}

// setup has what tarry ships, and a folder of shared data.
func setup(shared string) reference.Setup {
	return reference.Setup{From: simulation.All(), Beside: []string{shared}, Readers: []reference.Reader{Reader()}}
}
