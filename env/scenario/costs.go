package scenario

import (
	"errors"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/setting"
)

// eachCost are the settings of costs.
func (c *Scenario) eachCost() []setting.Row {
	return costRows(&c.Costs, setting.Row{Key: costTableKey, To: &c.CostTable, Paths: true,
		Forms: "FILE.csv with model, kind, gpus and seconds",
		Doc:   "times by model and size, before the costs below: see docs/reference/elastic.md"},
		setting.Row{Key: "resize", To: &c.CostResize, Read: c.readResize, Unset: true,
			Names: []string{resizeStart, resizeAFE},
			Doc:   "how resizes and moves are priced", Forms: "start: as first starts; afe: a shrink as rescale, a growth as " +
				"rescale + floor((start - rescale) x added/new) s, a move as start", Empty: "own costs"})
}

// costRows are the numbers of the costs, by the names that flags and files use, behind others.
func costRows(c *sim.Costs, before ...setting.Row) []setting.Row {
	const most = 24
	out := append(make([]setting.Row, 0, most), before...)
	for _, k := range [...]struct {
		name, what string
		c          *sim.Cost
	}{{"start", "start", &c.Start}, {"restore", "restore", &c.Restore}, {"checkpoint", "checkpoint", &c.Checkpoint},
		{"migrate", "migrate", &c.Migrate},
		{"rescale", "rescale", &c.Rescale}, {"renew", "renew", &c.Renew},
		{"oom", "failure for lack of GPU memory", &c.OutOfMemory}} {
		out = append(out,
			setting.Row{Key: k.name + "_s", To: &k.c.FixedS, High: maxCostS, Unit: "s", Doc: "seconds of a " + k.what},
			setting.Row{Key: k.name + "_per_gpu_s", To: &k.c.PerGPUS, High: maxCostS, Unit: "s",
				Doc: "seconds per GPU held of a " + k.what},
			setting.Row{Key: k.name + bytesPerS, To: &k.c.BytesPerS, High: 1e18, Unit: "bytes/s",
				Doc: "storage bandwidth, bytes of the model's weights per second, of a " + k.what})
	}
	return append(out, setting.Row{Key: "checkpoint_every_s", To: &c.CheckpointEveryS, High: maxCostS, Unit: "s",
		Doc: "running time between free periodic checkpoints, to which a fault returns a job; 0 = none"},
		setting.Row{Key: "kill", To: &c.Kill, Doc: "true: a preemption frees GPUs at once, writes no checkpoint and " +
			"loses the work since the last one, as a fault does"})
}

// bytesPerS ends the names of bandwidths.
const bytesPerS = "_bytes_per_s"

// maxCostS is the most seconds of a cost, as in sim.Costs.Validate.
const maxCostS = 1e9

// costTableKey names a file of costs by model and size.
const costTableKey = "table"

// costChoices are the keys of costs.
func (c *Scenario) costChoices() []setting.Choice {
	var out []setting.Choice
	for _, r := range c.eachCost() {
		doc := r.Doc
		if r.Forms != "" {
			doc = r.Forms + ", " + doc
		}
		out = append(out, setting.Choice{Name: r.Key, Doc: doc, Key: true})
	}
	return out
}

// costFiles lists the table of costs.
func (c *Scenario) costFiles() []string {
	if c.CostTable == "" {
		return nil
	}
	return []string{c.CostTable}
}

// SetCosts reads "none" or key=value,...: seconds (start_s, checkpoint_per_gpu_s, ...), storage
// bandwidths (restore_bytes_per_s, ...), kill=true and a table. What is not named is free.
func (c *Scenario) SetCosts(text string) error {
	switch strings.TrimSpace(text) {
	case "none":
		c.Costs, c.CostTable, c.CostResize = sim.Costs{}, "", ""
		return nil
	case "":
		return errors.New(`cost is empty, expected none or key=value,...`)
	}
	set := param.Parse("cost", text)
	var given Scenario
	given.readAllCosts(set)
	if err := set.Err(); err != nil {
		return err
	}
	c.Costs, c.CostTable, c.CostResize = given.Costs, given.CostTable, given.CostResize
	return nil
}

// readAllCosts reads all costs anew: what is not named is free.
func (c *Scenario) readAllCosts(s *param.Set) {
	c.Costs, c.CostTable, c.CostResize = sim.Costs{}, "", ""
	setting.Read(s, c.eachCost())
}

// byBytes reports whether a cost depends on the size of models.
func byBytes(c *sim.Costs) bool {
	for key := range CostMap(*c) {
		if strings.HasSuffix(key, bytesPerS) {
			return true
		}
	}
	return false
}

// CostMap gives the costs that are not 0 by their keys: numbers, and true for kill.
func CostMap(c sim.Costs) map[string]any {
	m := map[string]any{}
	setting.Saved(costRows(&c), func(key string, v any) { m[key] = v })
	return m
}
