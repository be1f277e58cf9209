package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/tabular"
)

// costTable holds seconds of changes by model and number of GPUs. It does not change once it is
// read.
//
// A change takes the row of its job's model, else of the model *, of its kind and of its number of
// GPUs: those after the change, of a checkpoint those before. Between two numbers of the file the
// time is on the straight line between them; below the first and above the last it is the
// nearest's. A kind that the file does not have for a model has the cost that the other settings
// give.
type costTable struct {
	rows map[costKey][]costRow
}

type costKey struct{ model, kind string }

type costRow struct {
	gpus    int
	seconds float64
}

// otherModels is the row of all models that a file does not name.
const otherModels = "*"

// costKinds are the kinds of changes, as the keys of costs name them.
func costKinds() []string {
	return []string{"start", "restore", "checkpoint", "migrate", "rescale", "renew"}
}

// startOverhead is the column by which Muri's profiles are known.
const startOverhead = "start_overhead_s"

// readCostTable reads CSV with model, kind, gpus and seconds, or Muri's stages.csv, where each
// model has one time to start, restore, migrate and rescale.
func readCostTable(file string) (*costTable, error) {
	t := &costTable{map[costKey][]costRow{}}
	if h, err := headerOf(file); err == nil && slices.Contains(h, startOverhead) {
		return t, t.readOverheads(file)
	}
	known := []string{"model", "kind", "gpus", "seconds"}
	err := tabular.Each(file, func(columns []string) error {
		for _, c := range columns {
			if !slices.Contains(known, c) {
				return fmt.Errorf("%s:1: unknown column %q, expected %s", file, c, strings.Join(known, ","))
			}
		}
		return nil
	}, func(r *tabular.Row) {
		model, kind := strings.ToLower(r.Text("model")), r.Text("kind")
		one := costRow{int(r.Count("gpus", 1, 1_000_000)), r.Float("seconds", 0, false)}
		if model == "" {
			r.Reject("model", "the name of a model, or * for all others")
		}
		if !slices.Contains(costKinds(), kind) {
			r.Reject("kind", strings.Join(costKinds(), ", "))
		}
		if one.seconds > maxCostS {
			r.Reject("seconds", "at most 1e9")
		}
		k := costKey{model, kind}
		if slices.ContainsFunc(t.rows[k], func(x costRow) bool { return x.gpus == one.gpus }) {
			r.Rejectf("%s of %s on %d GPUs has a row already", kind, model, one.gpus)
		}
		t.rows[k] = append(t.rows[k], one)
	}, known...)
	t.sort()
	return t, err
}

// headerOf gives the columns of a file.
func headerOf(file string) (columns []string, err error) {
	in, err := tabular.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := tabular.Decode(file, in)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	rows := tabular.NewReader(file, text)
	err = rows.Header()
	return rows.Columns(), err
}

// readOverheads reads Muri's stages.csv.
func (t *costTable) readOverheads(file string) error {
	err := tabular.Each(file, nil, func(r *tabular.Row) {
		one := costRow{int(r.Count("num_gpu", 1, 1_000_000)), r.Float(startOverhead, 0, false)}
		model := strings.ToLower(r.Text("model"))
		if one.seconds > maxCostS {
			r.Reject(startOverhead, "at most 1e9")
		}
		for _, kind := range []string{"start", "restore", "migrate", "rescale"} {
			k := costKey{model, kind}
			if slices.ContainsFunc(t.rows[k], func(x costRow) bool { return x.gpus == one.gpus }) {
				r.Rejectf("%s on %d GPUs has a row already", model, one.gpus)
				return
			}
			t.rows[k] = append(t.rows[k], one)
		}
	}, "model", "num_gpu", startOverhead)
	t.sort()
	return err
}

func (t *costTable) sort() {
	for _, rows := range t.rows {
		slices.SortFunc(rows, func(a, b costRow) int { return cmp.Compare(a.gpus, b.gpus) })
	}
}

// seconds is the time of a change of a kind; false where the table has none.
func (t *costTable) seconds(model, kind string, gpus int) (float64, bool) {
	rows := t.rows[costKey{strings.ToLower(model), kind}]
	if rows == nil {
		rows = t.rows[costKey{otherModels, kind}]
	}
	for i, r := range rows {
		switch {
		case gpus > r.gpus:
		case gpus == r.gpus || i == 0:
			return r.seconds, true
		default:
			p := rows[i-1]
			part := float64(gpus-p.gpus) / float64(r.gpus-p.gpus)
			return p.seconds + float64((r.seconds-p.seconds)*part), true
		}
	}
	if len(rows) == 0 {
		return 0, false
	}
	return rows[len(rows)-1].seconds, true
}

// kindOf names a change as the keys of costs do, and gives its number of GPUs; "" for what has no
// cost of its own.
func kindOf(c *sim.Change) (kind string, gpus int) {
	switch c.Kind {
	case sim.Start:
		if c.Again {
			return "restore", len(c.To)
		}
		return "start", len(c.To)
	case sim.Preempt:
		return "checkpoint", len(c.From)
	case sim.Migrate:
		return "migrate", len(c.To)
	case sim.Resize:
		return "rescale", len(c.To)
	case sim.Renew:
		return "renew", len(c.To)
	}
	return "", 0
}

// buildCosts reads the table of costs.
func (s *Setup) buildCosts() error {
	if s.Scenario.CostTable == "" {
		return nil
	}
	t, err := readCostTable(s.Scenario.CostTable)
	if err != nil {
		return wrong("costs", "costs.table: %w", err)
	}
	s.costs = t
	return nil
}

// Costs are the times that changes take, with the times of the scenario's table and its law of resizes.
func (s *Setup) Costs() sim.Costs {
	c := s.Scenario.Costs
	if s.costs == nil && s.Scenario.CostResize == "" {
		return c
	}
	p := &prices{table: s.costs, formulas: c, bytes: s.Bytes(), resize: s.Scenario.CostResize}
	c.Of = p.of
	return c
}
