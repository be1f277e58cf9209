package gavelsim

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"tarry/sim/param"
	"tarry/sim/tabular"
)

// readOrder reads the order of types in each round: CSV with a header, the number of the round,
// then the types, first to last. Gavel shuffles them every round for agnostic objectives;
// a file makes that repeatable.
func readOrder(file string) ([][]string, error) {
	f, err := tabular.OpenTable(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(rows) < 2 || len(rows[0]) < 2 {
		return nil, fmt.Errorf("%s: %d lines, expected a header call,first,... and the types of each round", file,
			len(rows))
	}
	out := make([][]string, 0, len(rows)-1)
	for _, r := range rows[1:] {
		out = append(out, r[1:])
	}
	return out, nil
}

// readRates reads throughputs as Gavel's scheduler knows them: the file isolated.csv of a folder,
// with the columns job_type, scale_factor, gpu_type and steps_per_s in any order. The key is
// tableKey's.
func readRates(folder string) (map[string]float64, error) {
	file := filepath.Join(folder, "isolated.csv")
	f, err := tabular.OpenTable(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var at [4]int
	for i, name := range [...]string{"job_type", "scale_factor", "gpu_type", "steps_per_s"} {
		if len(rows) > 0 {
			at[i] = slices.Index(rows[0], name)
		}
		if len(rows) == 0 || at[i] < 0 {
			return nil, fmt.Errorf("%s:1: column %q is missing", file, name)
		}
	}
	out := map[string]float64{}
	for n, r := range rows[1:] {
		gpus, err1 := strconv.Atoi(r[at[1]])
		t, err2 := param.ParseFloat(r[at[3]])
		if err1 != nil || err2 != nil || gpus < 1 || !(t >= 0) {
			return nil, fmt.Errorf("%s:%d: %s GPUs and %s steps/s, expected a whole number above 0 and a number >= 0",
				file, n+2, r[at[1]], r[at[3]])
		}
		out[tableKey(r[at[0]], gpus, r[at[2]])] = t
	}
	return out, nil
}

func tableKey(model string, gpus int, typ string) string {
	return fmt.Sprintf("%s/%d/%s", model, gpus, typ)
}

// ordered gives the columns in the order of the n-th round: the order of the file, which begins
// again after its end, else the cluster's. Types that the file does not name come last.
func (p *Policy) ordered(names []string, n int) []int {
	types, order := p.book.Types()
	if len(p.habits.shuffle) == 0 {
		return order
	}
	row := p.habits.shuffle[n%len(p.habits.shuffle)]
	o := p.order[:0]
	for _, want := range row {
		for c, i := range types {
			if names[i] == want {
				o = append(o, c)
			}
		}
	}
	for _, c := range order {
		if !slices.Contains(o, c) {
			o = append(o, c)
		}
	}
	p.order = o
	return o
}
