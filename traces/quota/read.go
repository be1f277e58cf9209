package quota

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarry/sim/tabular"
	"tarry/sim/tenant"
)

// Read reads a file of tenants: columns vc or user or both, and some of gpus, weight and priority.
// The error joins all faults of the file.
func Read(file string) ([]tenant.Tenant, error) {
	var rows []tenant.Tenant
	columns := []string{"vc", "user", "gpus", "weight", "priority"}
	has := map[string]bool{}
	header := func(names []string) error {
		for _, n := range names {
			if has[n] = true; !slices.Contains(columns, n) {
				return fmt.Errorf("%s:1: unknown column %q, expected some of %s", file, n, strings.Join(columns, ", "))
			}
		}
		if !has["vc"] && !has["user"] {
			return fmt.Errorf("%s:1: neither a column vc nor user, expected at least one", file)
		}
		return nil
	}
	err := tabular.Each(file, header, func(r *tabular.Row) {
		t := tenant.Tenant{VC: strings.Clone(r.Text("vc")), User: strings.Clone(r.Text("user"))}
		if has["gpus"] && r.Known("gpus") {
			t.GPUs = int(r.Count("gpus", 0, maxGPUs))
		}
		if has["weight"] && r.Known("weight") {
			t.Weight = r.Float("weight", 0, true)
		}
		if has["priority"] && r.Known("priority") {
			t.Priority = int32(r.Count("priority", math.MinInt32, math.MaxInt32))
		}
		if len(r.Faults()) > 0 {
			return
		}
		if _, err := tenant.New([]tenant.Tenant{t}); err != nil {
			r.Rejectf("%s", strings.TrimPrefix(err.Error(), "tenant 1 "))
			return
		}
		rows = append(rows, t)
	})
	if err == nil {
		_, err = tenant.New(rows)
	}
	return rows, err
}

// maxGPUs bounds a quota.
const maxGPUs = 1 << 30

// ReadTrace reads the quotas that come with a trace file: cluster_gpu_number.csv in its folder, as
// Helios has it, or NAME.quotas.csv, where NAME is the file's without what follows its first dot.
// It gives the file that was read.
func ReadTrace(path string) (rows []tenant.Tenant, file string, err error) {
	dir, base := filepath.Split(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		dir, base = path, ""
	}
	stem, _, _ := strings.Cut(base, ".")
	own, helios := filepath.Join(dir, stem+".quotas.csv"), filepath.Join(dir, "cluster_gpu_number.csv")
	for _, f := range []struct {
		file string
		read func(string) ([]tenant.Tenant, error)
	}{{own, Read}, {helios, readHelios}} {
		if _, err := os.Stat(f.file); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		rows, err := f.read(f.file)
		return rows, f.file, err
	}
	return nil, "", fmt.Errorf("the trace %s comes with no quotas, expected %s or %s", path, own, helios)
}

// readHelios reads the GPUs of Helios' virtual clusters (Hu et al., SC 2021): a row per day, a
// column for each. Quotas moved from day to day; a run's quota is the mean, rounded. A virtual
// cluster without GPUs has none.
func readHelios(file string) ([]tenant.Tenant, error) {
	var names []string
	var sums []int64
	days := int64(0)
	header := func(columns []string) error {
		for _, n := range columns {
			if n != "date" && n != "total" {
				names = append(names, strings.Clone(n))
			}
		}
		sums = make([]int64, len(names))
		return nil
	}
	if err := tabular.Each(file, header, func(r *tabular.Row) {
		for i, n := range names {
			sums[i] += r.Count(n, 0, maxGPUs)
		}
		days++
	}, "date"); err != nil {
		return nil, err
	}
	var rows []tenant.Tenant
	for i, n := range names {
		if g := (2*sums[i] + days) / (2 * days); g > 0 {
			rows = append(rows, tenant.Tenant{VC: n, GPUs: int(g)})
		}
	}
	return rows, nil
}
