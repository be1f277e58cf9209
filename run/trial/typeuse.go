package trial

import (
	"slices"

	"tarry/output/results"
	"tarry/sim/cluster"
)

// TypeUse is what the jobs of a trial held of the GPUs of one type.
type TypeUse struct {
	// Type is the type's name, "" for the reference type.
	Type string
	// GPUs is the number of GPUs of the type.
	GPUs int
	// HeldS is the time in seconds that jobs held them, all GPUs together; a share counts as a
	// part.
	HeldS float64
}

// typeUse adds up what jobs held of each type; nil where a cluster has one.
type typeUse struct {
	topo *cluster.Topology
	by   []TypeUse // in the order of the cluster
	of   []int32   // machine -> index in by
}

func newTypeUse(t *cluster.Topology) *typeUse {
	if len(t.Types()) < 2 {
		return nil
	}
	u := &typeUse{topo: t, of: make([]int32, t.Machines())}
	for _, name := range t.Types() {
		u.by = append(u.by, TypeUse{Type: name})
	}
	for m := range u.of {
		k := slices.Index(t.Types(), t.Type(m))
		lo, hi := t.MachineGPUs(m)
		u.of[m] = int32(k)
		u.by[k].GPUs += int(hi - lo)
	}
	return u
}

// add counts an allocation; start and end in seconds.
func (u *typeUse) add(start, end float64, shareMilli int64, gpus []cluster.GPU) {
	s := float64((end-start)*float64(shareMilli)) / 1000
	for _, g := range gpus {
		u.by[u.of[u.topo.Machine(g)]].HeldS += s
	}
}

// read counts an allocation of an earlier run's table.
func (u *typeUse) read(row *results.Interval) error {
	gpus, err := results.ParseGPUs[cluster.GPU](row.GPUList)
	if err != nil {
		return err
	}
	for _, g := range gpus {
		if g < 0 || int(g) >= u.topo.GPUs() {
			return errOther
		}
	}
	u.add(row.Start, row.End, row.ShareMilli, gpus)
	return nil
}

// uses are the sums so far.
func (u *typeUse) uses() []TypeUse {
	if u == nil {
		return nil
	}
	return u.by
}
