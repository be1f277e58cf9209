package measured

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/tabular"
)

// scalingFile is the name of a table: type and model.
var scalingFile = regexp.MustCompile(`^throughputs_([^_]+)_(.+)\.csv$`)

// ScalingFiles lists the tables of a folder, sorted; none where it cannot be read.
func ScalingFiles(dir string) []string {
	var files []string
	all, _ := os.ReadDir(dir) // OpenScaling reports the error
	for _, f := range all {
		if scalingFile.MatchString(f.Name()) {
			files = append(files, f.Name())
		}
	}
	return files
}

// scalingRow is one line: what a model with a batch size does on each count of GPUs.
type scalingRow struct {
	typ, model string
	counts     []int
	perS       []float64
}

// OpenScaling reads the folder. The error joins all faults of a file, up to 20, each with its line
// and column.
func OpenScaling(dir string) (*Scaling, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, err
	}
	t := &Scaling{Dir: dir, models: map[string]int32{}}
	var all []scalingRow
	for _, name := range ScalingFiles(dir) {
		part := scalingFile.FindStringSubmatch(name)
		rows, err := scalingRows(filepath.Join(dir, name), strings.ToLower(part[1]), part[2])
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no file throughputs_TYPE_MODEL.csv, expected at least one", dir)
	}
	return t, t.fill(all)
}

// scalingRows reads one file.
func scalingRows(file, typ, model string) ([]scalingRow, error) {
	var all []scalingRow
	var columns []string
	var counts []int
	header := func(have []string) error {
		for _, c := range have {
			if c == "global_batch_size" {
				continue
			}
			n, err := strconv.Atoi(c)
			if err != nil || n < 1 || n > maxGPUs {
				return fmt.Errorf("%s:1: column %q, expected global_batch_size and numbers of GPUs from 1 to %d", file,
					c, maxGPUs)
			}
			columns, counts = append(columns, c), append(counts, n)
		}
		return nil
	}
	err := tabular.Each(file, header, func(r *tabular.Row) {
		one := scalingRow{typ: typ, counts: counts, model: fmt.Sprintf("%s (batch size %d)", model,
			r.Count("global_batch_size", 1, 1<<31-1))}
		measured := false
		for _, c := range columns {
			v := math.NaN()
			if r.Known(c) {
				if v = perSecond(r, c); v == 0 {
					v = math.NaN()
				}
			}
			measured = measured || v > 0
			one.perS = append(one.perS, v)
		}
		if !measured && len(r.Faults()) == 0 {
			r.Rejectf("batch size %s has no throughput, expected at least one above 0", r.Text("global_batch_size"))
		}
		all = append(all, one)
	}, "global_batch_size")
	return all, err
}

// fill makes the dense table.
func (t *Scaling) fill(all []scalingRow) error {
	for _, r := range all {
		if _, ok := t.models[strings.ToLower(r.model)]; !ok {
			t.models[strings.ToLower(r.model)] = int32(len(t.names))
			t.names = append(t.names, r.model)
		}
		if !slices.Contains(t.types, r.typ) {
			t.types = append(t.types, r.typ)
		}
		for _, n := range r.counts {
			if !slices.Contains(t.counts, n) {
				t.counts = append(t.counts, n)
			}
		}
	}
	slices.Sort(t.types)
	slices.Sort(t.counts)
	t.perS = slices.Repeat([]float64{math.NaN()}, len(t.types)*len(t.names)*len(t.counts))
	for _, r := range all {
		row := t.row(int32(slices.Index(t.types, r.typ)), t.models[strings.ToLower(r.model)])
		if slices.ContainsFunc(row, func(v float64) bool { return v > 0 }) {
			return fmt.Errorf("%s: %q has two rows for GPUs of type %s, expected one", t.Dir, r.model, r.typ)
		}
		for i, n := range r.counts {
			row[slices.Index(t.counts, n)] = r.perS[i]
		}
	}
	return nil
}
