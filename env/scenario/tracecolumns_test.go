package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/traces"
	"tarry/sim/param"
)

// The columns of a table are mapped by a text, by a mapping and by dotted keys alike; windows are
// cut from the same jobs.
func TestTraceColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.csv")
	if err := os.WriteFile(path, []byte("job,gpu count,start,hours\na,2,0,1\nb,1,5,0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = `id=job,gpus=gpu count,submit=start,duration_h=hours`
	yaml, err := param.ParseYAML("f", []byte("trace_columns:\n  id: job\n  gpus: gpu count\n  submit: start\n  "+
		"duration_h: hours\n"))
	if err != nil {
		t.Fatal(err)
	}
	sets := map[string]*param.Set{"mapping": yaml,
		"text": param.Parse("o", `trace_columns="`+want+`"`),
		"dotted": param.Parse("o", "trace_columns.id=job,trace_columns.gpus=gpu count,trace_columns.submit=start,"+
			"trace_columns.duration_h=hours")}
	for name, set := range sets {
		c := Default()
		c.Read(set)
		if err := set.Err(); err != nil || c.TraceColumns != want {
			t.Errorf("%s gives %q, error %v, expected %q", name, c.TraceColumns, err, want)
			continue
		}
		c.Trace = path
		w, _, err := c.open(traces.All(), 0)
		if err != nil || len(w.Jobs) != 2 || w.Jobs[0].Work.Seconds() != 7200 || w.Jobs[1].ID != "b" {
			t.Errorf("%s gives %+v, error %v", name, w, err)
		}
	}
	c := Default()
	set := param.Parse("o", "trace_columns.gpsu=x")
	c.Read(set)
	if err := set.Err(); err == nil || !strings.Contains(err.Error(), `unknown column "gpsu"`) ||
		!strings.Contains(err.Error(), `did you mean "gpus"?`) {
		t.Errorf("a column that is none gives the error %v", err)
	}
	c.Trace, c.TraceColumns = "philly:"+path, want
	if _, _, err := c.open(traces.All(), 0); err == nil ||
		!strings.Contains(err.Error(), "philly has columns of its own") {
		t.Errorf("a format with other columns gives the error %v", err)
	}
}
