package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/catalogue/traces"
	"tarry/sim/param"
)

// written is a file in a folder of its own.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// row is a job of a log: 100 s on so many processors.
func row(job, submit, processors string) string {
	return job + " " + submit + " 0 100 " + processors + " -1 -1 -1 200 -1 1 1 1 -1 1 -1 -1 -1\n"
}

// The cluster of a log has the processors that its header names, else enough for its load, and
// always its largest job.
func TestClusterOfLog(t *testing.T) {
	rows := row("1", "0", "4") + row("2", "50", "8") + row("3", "100", "4")
	for head, want := range map[string]string{"; MaxProcs: 40\n": "log-40", "": "log-11", "; MaxProcs: 4\n": "log-8"} {
		s := param.Parse("test", "cluster=log,trace="+written(t, "a.swf",
			head+rows+row("4", "160", "1")+row("5", "200", "1")))
		c := Default()
		c.Read(s)
		made, err := c.Build(Catalogues{Traces: traces.All(), Speeds: speeds.All()})
		if err != nil {
			t.Fatal(err)
		}
		if made.Cluster.Name != want {
			t.Errorf("%q: the cluster is %s, expected %s; notes %v", head, made.Cluster.Name, want, made.Notes)
		}
		if made.Scenario.Speed != "counting" || len(made.Notes) != 1 {
			t.Errorf("%q: speed %s, notes %v", head, made.Scenario.Speed, made.Notes)
		}
	}
}

func TestWrongClusterOfLog(t *testing.T) {
	for options, want := range map[string]string{
		"cluster=log":                  "cluster is log with generated jobs, expected RxMxG",
		"cluster=log,trace=synth:demo": "cluster is log with generated jobs, expected RxMxG",
		"cluster=log,trace=no.swf":     "no.swf",
	} {
		s := param.Parse("test", options)
		cutting(s)
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", options, err, want)
		}
	}
}
