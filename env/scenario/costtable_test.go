package scenario

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tarry/catalogue/speeds"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

func put(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// priced builds a scenario with costs and gives what changes take.
func priced(t *testing.T, options string) func(kind sim.DecisionKind, again bool, model string, from, to int) float64 {
	t.Helper()
	c := Default()
	s := param.Parse("", options)
	c.Read(s)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	made, err := c.Build(Catalogues{Speeds: speeds.All()})
	if err != nil {
		t.Fatal(err)
	}
	costs := made.Costs()
	return func(kind sim.DecisionKind, again bool, model string, from, to int) float64 {
		return costs.Of(&sim.Change{Kind: kind, Again: again, Job: &sim.Job{Model: model},
			From: make([]cluster.GPU, from), To: make([]cluster.GPU, to)}).Seconds()
	}
}

const someCosts = "model,kind,gpus,seconds\nBERT,rescale,4,10\nBERT,rescale,16,22\nBERT,restore,1,7\n*,rescale,8,3\n" +
	"bert,checkpoint,2,5\nbert,checkpoint,4,6.5\n"

// A table goes before the formulas, by model, kind and size; what it does not have is as without
// it.
func TestCostTable(t *testing.T) {
	file := put(t, someCosts)
	of := priced(t, "costs.table="+file+",costs.rescale_s=100,costs.start_per_gpu_s=2,costs.restore_s=50,"+
		"costs.migrate_bytes_per_s=1e6")
	whole := priced(t, `costs="rescale_s=100,start_per_gpu_s=2,restore_s=50,migrate_bytes_per_s=1e6,table=`+file+`"`)
	for _, c := range []struct {
		kind     sim.DecisionKind
		again    bool
		model    string
		from, to int
		want     float64
	}{
		{sim.Resize, false, "BERT", 1, 4, 10},
		{sim.Resize, false, "bert", 1, 2, 10},
		{sim.Resize, false, "BERT", 1, 10, 16},
		{sim.Resize, false, "BERT", 1, 16, 22},
		{sim.Resize, false, "BERT", 1, 99, 22},
		{sim.Resize, false, "VGG", 1, 99, 3},
		{sim.Resize, false, "", 1, 1, 3},
		{sim.Start, false, "BERT", 0, 4, 8},
		{sim.Start, true, "BERT", 0, 4, 7},
		{sim.Start, true, "VGG", 0, 4, 50},
		{sim.Preempt, false, "BERT", 3, 0, 5.75},
		{sim.Preempt, false, "VGG", 3, 0, 0},
		{sim.Migrate, false, "no such model", 3, 3, 0},
		{sim.Renew, false, "BERT", 3, 3, 0},
		{sim.Tune, false, "BERT", 3, 3, 0},
	} {
		if got := of(c.kind, c.again, c.model, c.from, c.to); got != c.want ||
			whole(c.kind, c.again, c.model, c.from, c.to) != c.want {
			t.Errorf("%v (again %v) of %q from %d to %d takes %v s, expected %v", c.kind, c.again, c.model, c.from,
				c.to, got, c.want)
		}
	}
	if got := of(sim.Migrate, false, "BERT", 3, 3); !(got > 100) { // its weights at 1 MB/s
		t.Errorf("a migration of BERT takes %v s", got)
	}
}

func TestWrongCostTables(t *testing.T) {
	bad := put(t, "model,kind,gpus,seconds\nBERT,resize,4,10\nBERT,rescale,0,1\n,rescale,1,2e9\nBERT,rescale,4,-1\n"+
		"*,start,1,1\n*,start,1,2\n")
	for text, want := range map[string]string{
		"none.csv": "run.yaml:2:1: costs.table: open none.csv",
		put(t,
			"model,kind,gpus,seconds,x\na,start,1,1,1\n"): `:1: unknown column "x", expected model,kind,gpus,seconds`,
		put(t, "model,kind,gpus\na,start,1\n"): `seconds`,
		bad: bad + `:2: column "kind" is "resize", expected start, restore, checkpoint, migrate, rescale, renew
` + bad + `:3: column "gpus" is "0", expected a whole number from 1 to 1000000
` + bad + `:4: column "model" is "", expected the name of a model, or * for all others
` + bad + `:4: column "seconds" is "2e9", expected at most 1e9
` + bad + `:5: column "seconds" is "-1", expected a number >= 0
` + bad + `:7: start of * on 1 GPUs has a row already`,
	} {
		c := Default()
		c.CostTable = text
		c.Mark("costs", "run.yaml:2:1")
		_, err := c.Build(Catalogues{Speeds: speeds.All()})
		if got := c.Located(err); got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("%s gives %v, expected %s", text, got, want)
		}
	}
}

// Costs that are given together replace all, a table among them.
func TestSetCosts(t *testing.T) {
	c := Default()
	if err := c.SetCosts("start_s=3,table=a.csv"); err != nil || c.CostTable != "a.csv" || c.Costs.Start.FixedS != 3 {
		t.Errorf("%+v %v", c.Costs, err)
	}
	if err := c.SetCosts("kill=true,checkpoint_every_s=600"); err != nil || !c.Costs.Kill ||
		!reflect.DeepEqual(CostMap(c.Costs), map[string]any{"kill": true, "checkpoint_every_s": 600.0}) {
		t.Errorf("%v %v", CostMap(c.Costs), err)
	}
	if err := c.SetCosts("kill=maybe"); err == nil || !strings.Contains(err.Error(), `kill is "maybe"`) {
		t.Errorf("kill=maybe: %v", err)
	}
	c.CostTable = "a.csv"
	if err := c.SetCosts("start_s=x,tabel=a.csv"); err == nil ||
		!strings.Contains(err.Error(), `did you mean "table"?`) || c.CostTable != "a.csv" {
		t.Errorf("error %v, table %q", err, c.CostTable)
	}
	if err := c.SetCosts("none"); err != nil || c.CostTable != "" || c.Costs.Start.FixedS != 0 {
		t.Errorf("%+v %v", c.Costs, err)
	}
}

// The example is read.
func TestExampleCosts(t *testing.T) {
	of := priced(t, "costs.table=../../examples/costs.csv")
	if a, b := of(sim.Resize, false, "BERT", 1, 8), of(sim.Resize, false, "VGG", 1, 8); a != 120 || b != 10 {
		t.Errorf("a resize to 8 GPUs takes %v s of BERT, %v s of VGG", a, b)
	}
}

// Muri's profile: what a start costs is what each change costs by which a job comes to run.
func TestCostTableOfMuri(t *testing.T) {
	file := put(t, "model,num_gpu,iteration_time_ms,start_overhead_s\nBert,1,178,10\nBert,4,190,16\n")
	of := priced(t, "costs.table="+file+",costs.checkpoint_s=3")
	for kind, want := range map[sim.DecisionKind]float64{sim.Start: 12, sim.Migrate: 12, sim.Resize: 12,
		sim.Preempt: 3, sim.Renew: 0} {
		if got := of(kind, true, "bert", 2, 2); got != want {
			t.Errorf("%v takes %v s, expected %v", kind, got, want)
		}
	}
	for text, want := range map[string]string{
		"model,num_gpu,start_overhead_s\na,1,-1\n":       `column "start_overhead_s" is "-1"`,
		"model,num_gpu,start_overhead_s\na,1,2e9\n":      "at most 1e9",
		"model,num_gpu,start_overhead_s\na,1,1\na,1,2\n": "a on 1 GPUs has a row already",
		"model,start_overhead_s\na,1\n":                  `column "num_gpu" is missing`,
	} {
		if _, err := readCostTable(put(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}
