package polluxsim

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/tabular"
)

// Files lists the files of a folder.
func Files() []string {
	return []string{"applications.csv", "validation.csv", "placements_measured.csv", "step_time_grid.csv"}
}

// Bounds of what a folder may hold.
const (
	maxBatch  = 1 << 30
	maxEpochs = 1 << 16
	maxCells  = 1 << 24 // passes of an application
)

// Open reads the folder. The error joins all faults of a file, up to 20, each with its line and
// column.
func Open(dir string) (*Table, error) {
	t := &Table{Dir: dir, named: map[string]int32{}}
	f := Files()
	for i, read := range []func(string) error{t.readApplications, t.readValidation, t.readPlacements, t.readGrid} {
		if err := read(filepath.Join(dir, f[i])); err != nil {
			return nil, err
		}
	}
	for i := range t.apps {
		a := &t.apps[i]
		if _, ok := a.rings[1]; !ok {
			return nil, fmt.Errorf("%s: no step time of %q on one GPU", filepath.Join(dir, f[2]), a.name)
		}
		for _, c := range a.rings {
			if err := a.sort(c); err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(dir, f[2]), err)
			}
		}
		for _, c := range a.grid {
			if err := a.sort(c); err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(dir, f[3]), err)
			}
		}
	}
	return t, nil
}

// sort puts the knots of a curve in order.
func (a *app) sort(c curve) error {
	slices.SortFunc(c, func(x, y knot) int { return cmp.Compare(x.local, y.local) })
	for i := 1; i < len(c); i++ {
		if c[i].local == c[i-1].local {
			return fmt.Errorf("%q has two step times at local_bsz %v of one placement, expected one", a.name,
				c[i].local)
		}
	}
	return nil
}

func (t *Table) readApplications(file string) error {
	return tabular.Each(file, nil, func(r *tabular.Row) {
		a := app{name: strings.Clone(r.Text("application")), initial: count(r, "init_batch_size", 1),
			minLocal: count(r, "min_local_bsz", 1),
			epochs:   int(r.Count("max_epochs", 1, maxEpochs)), rings: map[uint64]curve{}}
		a.most, a.maxLocal = count(r, "max_batch_size", a.initial), count(r, "max_local_bsz", a.minLocal)
		for _, s := range strings.Fields(r.Text("validated_batch_sizes")) {
			b, err := strconv.ParseInt(s, 10, 32)
			if err != nil || b < 1 || b > maxBatch || len(a.batches) > 0 && int32(b) <= a.batches[len(a.batches)-1] {
				r.Reject("validated_batch_sizes", "ascending whole numbers >= 1")
				return
			}
			a.batches = append(a.batches, int32(b))
		}
		switch _, twice := t.named[strings.ToLower(a.name)]; {
		case a.name == "":
			r.Reject("application", "a name")
		case twice:
			r.Reject("application", "a name that no other row has")
		case len(a.batches) == 0:
			r.Reject("validated_batch_sizes", "at least one batch size")
		case len(a.batches)*a.epochs > maxCells:
			r.Reject("max_epochs", fmt.Sprintf("at most %d epochs of all batch sizes", maxCells))
		}
		if len(r.Faults()) > 0 {
			return
		}
		a.passes = slices.Repeat([]pass{{progress: math.NaN()}}, len(a.batches)*a.epochs)
		t.named[strings.ToLower(a.name)] = int32(len(t.apps))
		t.apps = append(t.apps, a)
	}, "application", "init_batch_size", "max_batch_size", "min_local_bsz", "max_local_bsz", "max_epochs",
		"validated_batch_sizes")
}

// count reads a number of samples.
func count(r *tabular.Row, column string, lo int32) int32 {
	return int32(r.Count(column, int64(lo), maxBatch))
}

// of is the application that a row is about, nil where there is none.
func (t *Table) of(r *tabular.Row) *app {
	a := t.app(r.Text("application"))
	if a == nil && len(r.Faults()) == 0 {
		r.Reject("application", "one of "+strings.Join(t.Applications(), ", "))
	}
	return a
}

func (t *Table) readValidation(file string) error {
	if err := tabular.Each(file, nil, func(r *tabular.Row) {
		a := t.of(r)
		if a == nil {
			return
		}
		b, e := slices.Index(a.batches, count(r, "batch_size", 1)), int(r.Count("epoch", 0, int64(a.epochs-1)))
		if b < 0 {
			r.Reject("batch_size", "one of the validated batch sizes "+fmt.Sprint(a.batches))
		}
		p := pass{r.Float("progress", 0, true), r.Float("iteration", 0, true), r.Float("grad_sqr", 0, false),
			r.Float("grad_var", 0, false)}
		if p.sqr+p.variance == 0 || math.IsInf(p.sqr+p.variance, 0) {
			r.Reject("grad_sqr", "a finite sum with grad_var that is not 0")
		}
		if len(r.Faults()) > 0 {
			return
		}
		to := &a.passes[b*a.epochs+e]
		if !math.IsNaN(to.progress) {
			r.Rejectf("batch size %d has two rows for epoch %d, expected one", a.batches[b], e)
			return
		}
		*to = p
	}, "application", "batch_size", "epoch", "progress", "iteration", "grad_sqr", "grad_var"); err != nil {
		return err
	}
	for i := range t.apps {
		if err := t.apps[i].finish(); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// finish finds the progress at which epochs end.
func (a *app) finish() error {
	a.ends = slices.Repeat([]float64{math.Inf(1)}, a.epochs)
	for i, p := range a.passes {
		b, e := i/a.epochs, i%a.epochs
		if math.IsNaN(p.progress) {
			return fmt.Errorf("%q has no row for batch size %d and epoch %d", a.name, a.batches[b], e)
		}
		if e > 0 && !(p.progress > a.passes[i-1].progress && p.iteration > a.passes[i-1].iteration) {
			return fmt.Errorf("%q at batch size %d makes no progress in epoch %d, expected more progress and "+
				"iterations than after the one before", a.name, a.batches[b], e)
		}
		a.ends[e] = min(a.ends[e], p.progress)
	}
	return nil
}

// knot reads the times of a row.
func readKnot(r *tabular.Row) knot {
	k := knot{float64(count(r, "local_bsz", 1)), r.Float("step_time", 0, true), r.Float("sync_time", 0, false)}
	if k.sync >= k.step && len(r.Faults()) == 0 {
		r.Reject("sync_time", "less than step_time")
	}
	return k
}

func (t *Table) readPlacements(file string) error {
	return tabular.Each(file, nil, func(r *tabular.Row) {
		a, k, p := t.of(r), readKnot(r), place{}
		for _, d := range r.Text("placement") {
			if d < '1' || d > '9' {
				r.Reject("placement", "the GPUs of each machine as digits 1 to 9")
				return
			}
			p.add(int(d - '0'))
		}
		if p.machines < 1 || p.machines > longestRing {
			r.Reject("placement", fmt.Sprintf("1 to %d digits", longestRing))
		}
		if a == nil || len(r.Faults()) > 0 {
			return
		}
		key := p.key()
		a.rings[key] = append(a.rings[key], k)
		t.longest = max(t.longest, p.machines)
	}, "application", "placement", "local_bsz", "step_time", "sync_time")
}

func (t *Table) readGrid(file string) error {
	return tabular.Each(file, nil, func(r *tabular.Row) {
		a, k, machines := t.of(r), readKnot(r), int(r.Count("num_nodes", 1, gridMachines))
		gpus := int(r.Count("num_replicas", int64(max(1, machines)), int64(max(1, machines)*perMachine)))
		if a == nil || len(r.Faults()) > 0 {
			return
		}
		if a.grid == nil {
			a.grid = make([]curve, gridMachines*gridGPUs)
		}
		c := &a.grid[(machines-1)*gridGPUs+gpus-1]
		*c = append(*c, k)
	}, "application", "num_nodes", "num_replicas", "local_bsz", "step_time", "sync_time")
}
