package tune

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"tarry/env/schedenv"
	"tarry/internal/pack"
)

// format names the layout of a state and its version.
const format = "tarry/tune/1"

// encode gives the state: what it belongs to, all that was measured, and the optimiser.
func (r *run) encode() []byte {
	w := pack.NewWriter(format)
	w.Bytes([]byte(r.owner))
	all := make([]place, 0, len(r.bench.memo))
	for at := range r.bench.memo {
		all = append(all, at)
	}
	slices.SortFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.spec, b.spec), cmp.Compare(a.window, b.window))
	})
	w.Int(len(all))
	for _, at := range all {
		o := r.bench.memo[at]
		w.Bytes([]byte(at.part))
		w.Bytes([]byte(at.spec))
		w.Int(at.window)
		w.Float64(o.value)
		w.Int(o.jobs)
		w.Int(o.sims)
	}
	w.Bytes(r.opt.Save())
	return w.Seal()
}

// decode reads a state and gives the optimiser's part of it.
func (r *run) decode(data []byte) ([]byte, error) {
	in := pack.NewReader(format, data)
	if owner := string(in.Bytes()); in.Err() == nil && owner != r.owner {
		return nil, errors.New("it is of another config.json or windows.json than those beside it")
	}
	for n := in.Int(); n > 0 && in.Err() == nil; n-- {
		at := place{part: schedenv.Part(in.Bytes()), spec: string(in.Bytes()), window: in.Int()}
		o := outcome{value: in.Float64(), jobs: in.Int(), sims: in.Int()}
		if in.Err() == nil && (at.window < 0 || o.jobs < 0 || o.sims < 0 || o.sims > 1) {
			in.Fail(fmt.Errorf("window %d of %s with %d jobs", at.window, at.spec, o.jobs))
		}
		r.bench.memo[at] = o
	}
	saved := in.Bytes()
	return saved, in.Close()
}
