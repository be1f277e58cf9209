package gpuprofile

import (
	"math"
	"strings"

	"tarry/sim/tabular"
)

// maxGPUs bounds the GPUs of a row.
const maxGPUs = 1 << 20

// read reads a file.
func read(file string) (map[key]need, error) {
	rows := map[key]need{}
	return rows, tabular.Each(file, nil, func(r *tabular.Row) {
		k := key{model: strings.ToLower(strings.Clone(r.Text("model")))}
		if k.model == "" {
			r.Reject("model", "the name of a model, or * for all others")
		}
		if r.Text("gpus") != "" {
			k.gpus = int32(r.Count("gpus", 0, maxGPUs))
		}
		var n need
		if r.Known("gpu_util_frac") {
			if n.util = r.Float("gpu_util_frac", 0, true); n.util > 1 {
				r.Reject("gpu_util_frac", "a part of a GPU, at most 1")
			}
		}
		if r.Known("gpu_mem_mib") {
			n.mib = int32(r.Count("gpu_mem_mib", 1, math.MaxInt32))
		}
		if len(r.Faults()) > 0 {
			return
		}
		if old, twice := rows[k]; twice && old != n {
			r.Rejectf("a second row for model %q on %d GPUs, expected each once", k.model, k.gpus)
		}
		rows[k] = n
	}, "model", "gpus", "gpu_util_frac", "gpu_mem_mib")
}
