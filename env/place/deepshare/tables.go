package deepshare

import (
	"fmt"
	"math"

	"tarry/sim/speed/deepshare"
)

// Nodes and NodeGPUs are the cluster, Demands how many GPUs a job may have, RoundS the seconds of a
// round.
const (
	Nodes    = 4
	NodeGPUs = 8
	Demands  = 3
	RoundS   = 300
)

// kinds is how many numbers of nodes a job may be placed on: 2 and 4; rounds is the length of a job.
const (
	kinds  = 2
	rounds = 12
)

// GPUs is how many GPUs a job of a type has. Types count the models of the tables, and of each the
// demands.
func GPUs(kind int) int { return 2 << (kind % Demands) }

// Tables holds what was measured. It does not change once made, and many worlds may share it.
type Tables struct {
	// Models are the names of the models.
	Models []string
	// Samples is what a job of a type has to train by default: 12 rounds alone on 2 nodes, which is
	// about what the authors' lists have.
	Samples []float64

	perS  []float64 // type, then 2 or 4 nodes; 0 = no such placement
	ratio []float64 // [type and nodes][type and nodes]
}

// Types is how many types of jobs there are.
func (t *Tables) Types() int { return len(t.Models) * Demands }

// empty makes tables without numbers.
func empty(models []string) *Tables {
	n := len(models) * Demands
	return &Tables{Models: models, Samples: make([]float64, n), perS: make([]float64, n*kinds),
		ratio: make([]float64, n*kinds*n*kinds)}
}

// legal reports whether a job of a type may be placed on 2 or 4 nodes (place 0 or 1).
func legal(kind, nodes int) bool { return GPUs(kind) >= 2<<nodes }

// From takes the tables of a folder that were read for the speed model. A number that is missing is
// an error.
func From(read *deepshare.Table) (*Tables, error) {
	t := empty(read.Models())
	ids := make([]int, len(t.perS))
	for i := range t.perS {
		kind, nodes := i/kinds, i%kinds
		if !legal(kind, nodes) {
			continue
		}
		id, perS, ok := read.Measured(kind/Demands, GPUs(kind), 2<<nodes)
		if !ok {
			return nil, fmt.Errorf("%s: no throughput of %q on %d GPUs of %d nodes", read.Dir, t.Models[kind/Demands],
				GPUs(kind), 2<<nodes)
		}
		if ids[i], t.perS[i] = id, perS; nodes == 0 {
			t.Samples[kind] = perS * RoundS * rounds
		}
	}
	for i := range ids {
		for j := range ids {
			if t.perS[i] == 0 || t.perS[j] == 0 {
				continue
			}
			r := read.Between(ids[i], ids[j])
			if math.IsNaN(r) {
				return nil, fmt.Errorf("%s: no ratio of %q on %d GPUs beside %q on %d", read.Dir,
					t.Models[i/kinds/Demands], GPUs(i/kinds), t.Models[j/kinds/Demands], GPUs(j/kinds))
			}
			t.ratio[i*len(ids)+j] = r
		}
	}
	return t, nil
}

// own is a model of Own: samples per second of a GPU on 2 nodes, the speed on 4 nodes relative to it,
// how sensitive it is to traffic and how much traffic it makes.
type own struct {
	name                     string
	perS, four, feels, makes float64
}

// Own makes tables of ours, of six models between one that hardly uses the network and one that is
// bound by it. The ratio beside another job is 1 / (1 + feels x makes of the other x width), where
// the width of a pair is 1 for jobs of 2 GPUs and larger by 0.1 for each doubling of either. A job
// takes 12 rounds alone on 2 nodes.
func Own() *Tables {
	models := []own{
		{"vision", 300, 1.05, 0.06, 0.4}, {"graph", 200_000, 1.1, 0.16, 0.2}, {"sharded", 6, 1, 0.45, 1},
		{"language", 13, 0.7, 0.5, 0.7}, {"recommender", 5500, 0.9, 0.28, 0.3}, {"experts", 5, 0.75, 0.55, 0.8},
	}
	var names []string
	for _, m := range models {
		names = append(names, m.name)
	}
	t := empty(names)
	for kind := range t.Types() {
		m, gpus := models[kind/Demands], float64(GPUs(kind))
		t.Samples[kind] = m.perS * gpus * RoundS * rounds
		for nodes := range kinds {
			if legal(kind, nodes) {
				t.perS[kind*kinds+nodes] = m.perS * gpus * []float64{1, m.four}[nodes]
			}
		}
	}
	n := len(t.perS)
	for i := range n {
		for j := range n {
			me, other := i/kinds, j/kinds
			width := 1 + 0.1*float64(me%Demands+other%Demands)
			t.ratio[i*n+j] = 1 / (1 + float64(models[me/Demands].feels*models[other/Demands].makes*width))
		}
	}
	return t
}
