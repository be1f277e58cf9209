package report

import (
	"encoding/json"
	"slices"

	"tarry/output/results"
	"tarry/sim/cluster"
	"tarry/sim/preset"
)

// byGPU adds up what a trial did on each GPU.
type byGPU struct {
	held []float64 // seconds, a share counted as a part
	done []float64 // work, in seconds of a reference GPU
}

// add counts an interval on its GPUs.
func (b *byGPU) add(row *results.Interval, gpus []int32) {
	if len(gpus) == 0 || !(row.End > row.Start) {
		return
	}
	most := int(slices.Max(gpus)) + 1
	for len(b.held) < most {
		b.held, b.done = append(b.held, 0), append(b.done, 0)
	}
	s := row.End - row.Start
	held, done := float64(s*float64(row.ShareMilli))/1000, 0.0
	if row.Rate > 0 {
		done = float64(s*row.Rate) / float64(len(gpus))
	}
	for _, g := range gpus {
		b.held[g] += held
		b.done[g] += done
	}
}

// typed is what a trial did on the GPUs of one type.
type typed struct {
	name       string
	gpus       int
	held, done float64
}

// byType adds up the types in the order of the cluster; nil where it has only one.
func (b *byGPU) byType(types []string) []typed {
	var out []typed
	for g, name := range types {
		i := slices.IndexFunc(out, func(t typed) bool { return t.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, typed{name: name})
		}
		out[i].gpus++
		if g < len(b.held) {
			out[i].held += b.held[g]
			out[i].done += b.done[g]
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// typesOf gives the type of each GPU: from the trial's configuration, or from the cluster's name;
// nil where neither states.
func typesOf(config, name string) []string {
	var c struct {
		Cluster struct {
			Racks []struct {
				Count    int
				Machines []struct {
					Count, GPUs int
					Type        string
				}
			}
		}
	}
	var spec cluster.Spec
	if json.Unmarshal([]byte(config), &c) == nil {
		for _, r := range c.Cluster.Racks {
			var rack []cluster.Machines
			for _, m := range r.Machines {
				rack = append(rack, cluster.Machines{Count: m.Count, GPUs: m.GPUs, Type: m.Type})
			}
			for range min(r.Count, 1<<22) {
				spec.Racks = append(spec.Racks, rack)
			}
		}
	}
	if len(spec.Racks) == 0 {
		p, err := preset.Lookup(name)
		if err != nil {
			return nil
		}
		spec = p.Spec
	}
	topo, err := cluster.New(spec)
	if err != nil || len(topo.Types()) < 2 {
		return nil
	}
	out := make([]string, topo.GPUs())
	for g := range out {
		out[g] = topo.Type(topo.Machine(cluster.GPU(g)))
	}
	return out
}

// typeTable is what policies did on each type of GPUs: means over the trials that have a timeline.
// There is none unless a cluster has several types.
func (g *groups) typeTable(f *folder) []table {
	t := g.head("types", "GPU types")
	t.Note = "What each policy did on the GPUs of each type: means over the trials with a timeline, until their " +
		"makespan. An allocation on several types counts on each with its GPUs there, " +
		"and its progress in equal parts." + g.key()
	t.Columns[len(t.Columns)-1].Help = "trials with a timeline"
	t.Columns = append(t.Columns, column{Name: "type", Help: "of the GPUs; empty: the reference type"},
		column{Name: "GPUs", Num: true}, column{Name: "GPU-hours", Unit: "h", Num: true,
			Help: "time that jobs hold the GPUs, a share counted as a part"},
		column{Name: "utilisation", Unit: "%", Num: true, Help: "GPU-hours / GPU-hours there until the makespan"},
		column{Name: "rate per GPU", Num: true, Help: "mean progress of a GPU in use, while its job runs, " +
			"relative to one reference GPU without communication"})
	g.each(f, t.Title, func(one *group1) {
		for _, s := range one.byType() {
			row := g.lead(one)
			row[len(row)-1] = cell{V: number(float64(s.trials))}
			n := float64(s.trials)
			rate := cell{}
			if s.held > 0 {
				rate.V = number(s.done / s.held)
			}
			t.Rows = append(t.Rows, append(row, cell{Text: s.name}, cell{V: number(float64(s.gpus))},
				cell{V: number(s.held / 3600 / n)}, cell{V: number(100 * s.held / s.there)}, rate))
		}
	})
	if len(t.Rows) == 0 {
		return nil
	}
	return []table{t}
}

// typedSum is typed over the trials of a group; there are the GPU-seconds until the makespan.
type typedSum struct {
	typed
	trials int
	there  float64
}

func (one *group1) byType() []typedSum {
	var out []typedSum
	for _, u := range one.units {
		for _, r := range u.runs {
			for _, of := range r.types {
				i := slices.IndexFunc(out, func(s typedSum) bool { return s.name == of.name && s.gpus == of.gpus })
				if i < 0 {
					i = len(out)
					out = append(out, typedSum{typed: typed{name: of.name, gpus: of.gpus}})
				}
				s := &out[i]
				s.trials++
				s.held += of.held
				s.done += of.done
				s.there += float64(float64(of.gpus) * r.row.Makespan)
			}
		}
	}
	return out
}
