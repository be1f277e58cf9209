package measured

import (
	"strings"
	"testing"

	"tarry/sim"
)

// lacks compares what a model lacks for jobs of some models with what is expected; "" = nothing.
func lacks(t *testing.T, m interface{ Lacks(j *sim.Job) error }, dir string, cases map[string]string) {
	t.Helper()
	for name, want := range cases {
		err := m.Lacks(&sim.Job{ID: "j", Model: name, GPUs: 64})
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), dir+": "+want)) {
			t.Errorf("%q: %v, expected %q", name, err, want)
		}
	}
}

// Lacks names the models without any row, whatever the number of GPUs, and with one for others none.
func TestLacks(t *testing.T) {
	dir := folder(t, "isolated.csv", isolated)
	missing := map[string]string{"A3C": "", "LM (batch size 5)": "",
		"A3D": `no model "A3D" (job "j"), expected one of LM (batch size 5), A3C; option model=NAME stands in; ` +
			`did you mean "A3C"?`}
	lacks(t, model(t, dir, Options{Untyped: "v100"}), dir, missing)
	lacks(t, model(t, dir, Options{Untyped: "v100", Model: "A3C"}), dir, map[string]string{"A3C": "", "A3D": ""})
}

func TestScalingLacks(t *testing.T) {
	m := scaling(t, ScalingOptions{Untyped: "A100"})
	lacks(t, m, m.table.Dir, map[string]string{"bert (batch size 64)": "", "BERT (batch size 64)": "",
		"bert": `no model "bert" (job "j"), expected one of bert (batch size 64), `})
	m = scaling(t, ScalingOptions{Untyped: "A100", Model: "bert (batch size 64)"})
	lacks(t, m, m.table.Dir, map[string]string{"bert": ""})
}
