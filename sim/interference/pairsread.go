package interference

import (
	"strings"

	"tarry/sim/tabular"
)

// maxGPUs bounds the GPUs of a row.
const maxGPUs = 1 << 16

// openPairs reads a table: model_a, model_b, gpus (0 or an empty cell = any number), keep_a and
// keep_b, each in (0, 1]. A row holds for both: b beside a keeps keep_b. A pair with a row for its
// number of GPUs does not read that for any number. Case does not count. The error joins all
// faults, up to 20.
func openPairs(file string) (*table, error) {
	t := newTable()
	err := tabular.Each(file, nil, func(r *tabular.Row) {
		a, b := r.Text("model_a"), r.Text("model_b")
		if a == "" {
			r.Reject("model_a", "the name of a model")
		}
		if b == "" {
			r.Reject("model_b", "the name of a model")
		}
		gpus := int32(0)
		if r.Text("gpus") != "" {
			gpus = int32(r.Count("gpus", 0, maxGPUs))
		}
		ofA, ofB := kept(r, "keep_a"), kept(r, "keep_b")
		if strings.EqualFold(a, b) && ofA != ofB {
			r.Reject("keep_b", "as much as keep_a of the same model")
		}
		if len(r.Faults()) > 0 {
			return
		}
		p := pair{t.model(a), t.model(b), gpus}
		t.add(r, p, ofA)
		t.add(r, pair{p.other, p.me, gpus}, ofB)
	}, "model_a", "model_b", "gpus", "keep_a", "keep_b")
	return t, err
}

// kept reads what a job keeps.
func kept(r *tabular.Row, column string) float64 {
	v := r.Float(column, 0, true)
	if len(r.Faults()) == 0 && !(v >= leastKeep && v <= 1) {
		r.Reject(column, "a part of the speed alone, 1e-6..1")
	}
	return v
}

// model numbers a model.
func (t *table) model(name string) int32 {
	lower := strings.ToLower(name)
	id, ok := t.models[lower]
	if !ok {
		id = int32(len(t.models))
		t.models[strings.Clone(lower)] = id
		if b := base(name); b != "" {
			if _, ok := t.bases[b]; !ok {
				t.bases[b] = id
			}
		}
	}
	return id
}

// add notes what a job keeps; twice is a fault unless it states the same.
func (t *table) add(r *tabular.Row, p pair, keep float64) {
	if old, twice := t.rows[p]; twice && old != keep {
		r.Rejectf("a model keeps %v beside the other, and %v by an earlier row, expected one value", keep, old)
		return
	}
	t.rows[p] = keep
}
