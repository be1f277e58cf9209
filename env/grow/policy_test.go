package grow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// network writes a network with two places that gives every choice the same logit but as biased.
func network(t testing.TB, out int) string {
	t.Helper()
	f := netfile.Form{Obs: 16 + rowLen*(out-1), Masked: true, Sizes: []int{out}, First: []int{0}, Hidden: []int{2},
		Activation: netfile.Tanh}
	var matrices []netfile.Matrix
	for _, m := range f.Matrices() {
		m.W = make([]float64, m.Rows*m.Cols)
		for i := range m.W {
			m.W[i] = float64(i%7-3) / 10
		}
		matrices = append(matrices, m)
	}
	n, err := netfile.New(f, matrices)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "net.txt")
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if err := n.Write(to); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPolicyConforms(t *testing.T) {
	o := simtest.Options{Seeds: 20, Laws: simtest.NullJob}
	simtest.Conform(t, "dl2", NewPolicy, o.Settings("", "rule=time4,every=5", "rule=fair,jobs=2",
		"rule=saved,jobs=1,every=3",
		"weights="+network(t, 4)))
}

// job arrives at a second and would run for some on one GPU; speeds count GPUs.
func job(submit, work, lo, num, hi int) sim.Job {
	return sim.Job{Submit: sim.Time(submit) * sim.Second, Work: sim.Time(work) * sim.Second, GPUs: int32(num),
		MinGPUs: int32(lo), MaxGPUs: int32(hi)}
}

// On 4 GPUs with speeds that count: alone job 0 has all; the shorter job 1 then has as many as it can
// use by gain and time, at most 2 by time2, and by fair an equal part.
func TestByHand(t *testing.T) {
	for rule, want := range map[string][]string{
		"gain": {"0 on [0 1 2 3] 0s-10s resize", "1 on [1 2 3] 10s-20s finish", "0 on [0] 10s-20s resize",
			"0 on [0 1 2 3] 20s-37.5s finish"},
		"time": {"0 on [0 1 2 3] 0s-10s resize", "1 on [1 2 3] 10s-20s finish", "0 on [0] 10s-20s resize",
			"0 on [0 1 2 3] 20s-37.5s finish"},
		"fair": {"0 on [0 1 2 3] 0s-10s resize", "1 on [2 3] 10s-25s finish", "0 on [0 1] 10s-25s resize",
			"0 on [0 1 2 3] 25s-37.5s finish"},
		"time2": {"1 on [2 3] 10s-25s finish", "0 on [0 1] 0s-60s finish"},
	} {
		simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: []sim.Job{job(0, 120, 1, 1, 4), job(10, 30, 1, 1, 3)}}.Expect(t,
			simtest.Build(t, "dl2", NewPolicy, "rule="+rule)(), want...)
	}
}

func TestPolicyFaults(t *testing.T) {
	for text, want := range map[string]string{"rule=best": "expected time", "weights=no-such-file": "no-such-file",
		"lease_s=60":                      "expected it beside a network",
		"weights=" + network(t, 1):        "16 numbers to 1 choices, expected 30 to 2 of tarry/Grow-v0",
		"jobs=3,weights=" + network(t, 3): "jobs and weights are both given, expected one of them"} {
		if _, err := NewPolicy(param.Parse("policy dl2", text), 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", text, err, want)
		}
	}
}
