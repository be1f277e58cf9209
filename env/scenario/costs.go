package scenario

import (
	"errors"
	"strings"

	"tarry/sim"
	"tarry/sim/param"
)

// costField is one settable number of the costs.
type costField struct {
	key string
	to  *float64
}

// costFields lists the numbers of c by the names that flags and files use.
func costFields(c *sim.Costs) []costField {
	var out []costField
	for _, k := range [...]struct {
		name string
		c    *sim.Cost
	}{{"start", &c.Start}, {"restore", &c.Restore}, {"checkpoint", &c.Checkpoint}, {"migrate", &c.Migrate}, {"rescale", &c.Rescale}, {"renew", &c.Renew}, {"oom", &c.OutOfMemory}} {
		out = append(out, costField{k.name + "_s", &k.c.FixedS}, costField{k.name + "_per_gpu_s", &k.c.PerGPUS}, costField{k.name + "_bytes_per_s", &k.c.BytesPerS})
	}
	return append(out, costField{"checkpoint_every_s", &c.CheckpointEveryS})
}

// most is the largest value: seconds as in sim.Costs.Validate, or bytes per second.
func (f costField) most() float64 {
	if strings.HasSuffix(f.key, "_bytes_per_s") {
		return 1e18
	}
	return maxCostS
}

const maxCostS = 1e9

// costTableKey names a file of costs by model and size.
const costTableKey = "table"

// CostKeys lists the keys of SetCosts.
func CostKeys() []string {
	keys := []string{costTableKey}
	for _, f := range costFields(&sim.Costs{}) {
		keys = append(keys, f.key)
	}
	return keys
}

// SetCosts reads "none" or key=value,...: seconds (start_s, checkpoint_per_gpu_s, ...), storage
// bandwidths (restore_bytes_per_s, ...) and a table. What is not named is free.
func (c *Scenario) SetCosts(text string) error {
	switch strings.TrimSpace(text) {
	case "none":
		c.Costs, c.CostTable = sim.Costs{}, ""
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
	c.Costs, c.CostTable = given.Costs, given.CostTable
	return nil
}

// readAllCosts reads all costs anew: what is not named is free.
func (c *Scenario) readAllCosts(s *param.Set) {
	c.Costs, c.CostTable = sim.Costs{}, s.Text(costTableKey, "")
	for _, f := range costFields(&c.Costs) {
		*f.to = s.Float(f.key, 0, 0, f.most())
	}
}

// byBytes reports whether a cost depends on the size of models.
func byBytes(c *sim.Costs) bool {
	for _, f := range costFields(c) {
		if strings.HasSuffix(f.key, "_bytes_per_s") && *f.to > 0 {
			return true
		}
	}
	return false
}

// CostMap gives the costs that are not 0 by their keys.
func CostMap(c sim.Costs) map[string]float64 {
	m := map[string]float64{}
	for _, f := range costFields(&c) {
		if *f.to != 0 {
			m[f.key] = *f.to
		}
	}
	return m
}
