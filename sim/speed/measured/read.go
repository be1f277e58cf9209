package measured

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/sim/tabular"
)

// Files lists the files of a folder, the first of which must be there.
func Files() []string { return []string{"isolated.csv", "colocated.csv", "job_types.csv"} }

// maxGPUs bounds the GPUs of a job and maxSteps a throughput.
const (
	maxGPUs  = 1 << 16
	maxSteps = 1e12
)

// row is a line of isolated.csv.
type row struct {
	model, typ string
	gpus       int
	perS       float64
}

// Open reads the folder. The error joins all faults of a file, up to 20, each with its line and
// column.
func Open(dir string) (*Table, error) {
	t := &Table{Dir: dir, models: map[string]int32{}}
	var all []row
	if err := tabular.Each(filepath.Join(dir, "isolated.csv"), nil, func(r *tabular.Row) {
		one := row{r.Text("job_type"), r.Text("gpu_type"), int(r.Count("scale_factor", 1, maxGPUs)),
			perSecond(r, "steps_per_s")}
		if one.model == "" {
			r.Reject("job_type", "a model and its batch size")
		}
		if one.typ == "" || one.typ == unconsolidated {
			r.Reject("gpu_type", "the name of a GPU type")
		}
		one.model, one.typ = strings.Clone(one.model), strings.ToLower(one.typ)
		all = append(all, one)
	}, "job_type", "scale_factor", "gpu_type", "steps_per_s"); err != nil {
		return nil, err
	}
	if err := t.fill(all); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "isolated.csv"), err)
	}
	return t, t.readPairs(dir)
}

// perSecond reads a throughput.
func perSecond(r *tabular.Row, column string) float64 {
	v := r.Float(column, 0, false)
	if v > maxSteps {
		r.Reject(column, "at most 1e12 steps per second")
	}
	return v
}

// fill makes the dense table.
func (t *Table) fill(all []row) error {
	for _, r := range all {
		if _, ok := t.models[strings.ToLower(r.model)]; !ok {
			t.models[strings.ToLower(r.model)] = int32(len(t.names))
			t.names = append(t.names, r.model)
		}
		if !slices.Contains(t.types, r.typ) {
			t.types = append(t.types, r.typ)
		}
		if !slices.Contains(t.counts, r.gpus) {
			t.counts = append(t.counts, r.gpus)
		}
	}
	slices.Sort(t.counts)
	for _, typ := range t.types {
		t.spread = append(t.spread, int32(slices.Index(t.types, typ+unconsolidated)))
	}
	t.count = make([]int32, t.counts[len(t.counts)-1]+1)
	for g := range t.count {
		t.count[g] = int32(slices.Index(t.counts, g))
	}
	t.alone = slices.Repeat([]float64{math.NaN()}, len(t.names)*len(t.counts)*len(t.types))
	for _, r := range all {
		cell := &t.alone[t.at(t.model(r.model), t.ofCount(r.gpus), t.ofType(r.typ))]
		if !math.IsNaN(*cell) && *cell != r.perS {
			return fmt.Errorf("steps_per_s of %q on %d GPUs of type %q is %v and %v, expected one value", r.model,
				r.gpus, r.typ, *cell, r.perS)
		}
		*cell = r.perS
	}
	return nil
}

// readPairs reads colocated.csv, if it is there.
func (t *Table) readPairs(dir string) error {
	file := filepath.Join(dir, "colocated.csv")
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	names, err := t.readNames(dir)
	if err != nil {
		return err
	}
	t.pairs = map[pair]steps{}
	return tabular.Each(file, nil, func(r *tabular.Row) {
		p := pair{t.named(r, "type_a", names), t.named(r, "type_b", names), -1, t.ofType(r.Text("gpu_type"))}
		gpus := r.Count("scale_factor_a", 1, maxGPUs)
		if b := r.Count("scale_factor_b", 1, maxGPUs); b != gpus {
			r.Reject("scale_factor_b", fmt.Sprintf("as many GPUs as scale_factor_a, %d", gpus))
		}
		if p.typ < 0 {
			r.Reject("gpu_type", "one of "+strings.Join(t.types, ", "))
		}
		if p.count = t.ofCount(int(gpus)); p.count < 0 {
			r.Reject("scale_factor_a", "a number of GPUs that isolated.csv has")
		}
		s := steps{perSecond(r, "steps_per_s_a"), perSecond(r, "steps_per_s_b")}
		if p.a == p.b && s.a != s.b {
			r.Reject("steps_per_s_b", "as many as steps_per_s_a of the same model")
		}
		if old, twice := t.pairs[p]; twice && old != s {
			r.Rejectf("the pair does %v and %v steps per second, expected the %v and %v of an earlier row", s.a, s.b,
				old.a, old.b)
		}
		if len(r.Faults()) == 0 {
			t.pairs[p] = s
			p.a, p.b = p.b, p.a
			t.pairs[p] = steps{s.b, s.a}
		}
	}, "type_a", "type_b", "scale_factor_a", "scale_factor_b", "gpu_type", "steps_per_s_a", "steps_per_s_b")
}

// readNames reads job_types.csv: the index of the model behind each id, -1 where isolated.csv does
// not have it; nil where the file is not there.
func (t *Table) readNames(dir string) (map[string]int32, error) {
	file := filepath.Join(dir, "job_types.csv")
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	names := map[string]int32{}
	return names, tabular.Each(file, nil, func(r *tabular.Row) {
		id := r.Text("type_id")
		if _, twice := names[id]; twice {
			r.Reject("type_id", "each id once")
		}
		names[strings.Clone(id)] = t.model(r.Text("job_type"))
	}, "type_id", "job_type")
}

// named reads a model by its id, or by its name where there are no ids.
func (t *Table) named(r *tabular.Row, column string, names map[string]int32) int32 {
	want := "a model of isolated.csv"
	id := int32(-1)
	if names == nil {
		id = t.model(r.Text(column))
	} else {
		want = "an id of job_types.csv whose model is in isolated.csv"
		if known, ok := names[r.Text(column)]; ok {
			id = known
		}
	}
	if id < 0 {
		r.Reject(column, want)
	}
	return id
}
