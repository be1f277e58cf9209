package evaluate

import (
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/env/delaytimer"
	"tarry/env/schedenv"
)

// Jobs that training saw are known again when the trace comes at another rate, is thinned, dealt
// out, or split in another way; its test part is fine at any rate, since a rate moves the cuts with
// the jobs.
func TestSeenJobsInOtherCuts(t *testing.T) {
	file := kept(t, filepath.Join(t.TempDir(), "jobs.csv"), long(t))
	runs := map[string]string{}
	for name, more := range map[string]string{"cut": "", "thin": ",thin=2", "fast": ",rate=1.5",
		"drawn": ",batch_jobs=100,windows=3", "shares": ",shares=40:20:40"} {
		runs[name] = trained(t, delaytimer.ID, onTrace+file+more)
	}
	for _, c := range []struct {
		run, options string
		fine         bool
	}{
		{"cut", "", true},
		{"cut", "rate=1.5", true},
		{"cut", "thin=2", true},
		{"cut", "thin=2 rate=1.5 data_seed=7", true},
		{"cut", "shares=20:10:70", false},
		{"cut", "shares=20:10:70 rate=1.5", false},
		{"cut", "shares=20:10:70 rate=0.5 thin=2", false},
		{"cut", "batch_jobs=100 windows=3", false},
		{"thin", "", true},
		{"thin", "thin=3 data_seed=5", true},
		{"thin", "thin=1 shares=20:10:70", false},
		{"fast", "rate=1", true},
		{"fast", "rate=1 shares=20:10:70", false},
		{"drawn", "", true},
		{"drawn", "rate=2", true},
		{"drawn", "data_seed=1", false},
		{"drawn", "data_seed=1 copies=3 batch_jobs=1200", false},
		{"drawn", "copies=3", true},
		{"drawn", "batch_jobs=0 windows=", false},
		{"shares", "", true},
		{"shares", "shares=70:15:15", true},
	} {
		r := request(runs[c.run])
		r.Windows, r.Options = 1, strings.Fields(c.options)
		if c.options == "batch_jobs=0 windows=" {
			r.Options, r.Trace = []string{"shares=20:10:70"}, "csv:"+file
		}
		_, err := Build(shipped.All(), r)
		if (err == nil) != c.fine || err != nil && !strings.Contains(err.Error(),
			"jobs from the trace of "+runs[c.run]) {
			t.Errorf("%s, tested with %q, gives %v", c.run, c.options, err)
		}
	}
	r := request(runs["cut"])
	r.Windows, r.Part, r.Options = 1, schedenv.Validation, []string{"rate=2"}
	if _, err := Build(shipped.All(), r); err == nil {
		t.Error("validation at another rate is accepted")
	}
}
