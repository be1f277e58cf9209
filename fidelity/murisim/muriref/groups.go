package muriref

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tarry/fidelity/reference"
	"tarry/internal/assign"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/speed/muri"
	"tarry/sim/stages"
)

const (
	muriPacking  = "packing_vectors.csv"
	muriMatching = "matching_vectors.csv"
	// muriWithin is the part by which the mean completion time of a run of Muri may differ.
	muriWithin = 0.03
	muriVector = 1e-12
	muriWeight = 1e-9
)

// muriWhole ends the name of a schedule in which groups are never dissolved, as it seems to have
// been when the authors made most of their plots.
const muriWhole = "+whole"

// muriQueues ends the name of a schedule with the queues of discretised 2D-LAS, which the authors'
// file holds and their program does not call.
const muriQueues = "+queues"

// muriGreedy ends the name of a schedule that matches the best pair first: on jobs that all stress
// one resource the faulty comparison of that program's matching comes to that.
const muriGreedy = "+greedy"

// muriShares gives Muri's own schedules in tarry's words; "" = it is none of them.
func muriShares(schedule string) string {
	if of, whole := strings.CutSuffix(schedule, muriWhole); whole {
		return muriShares(of) + ",dissolve=false"
	}
	if of, queues := strings.CutSuffix(schedule, muriQueues); queues {
		return strings.Replace(muriShares(of), "key=las", "key=las2d", 1)
	}
	if of, greedy := strings.CutSuffix(schedule, muriGreedy); greedy {
		return muriShares(of) + ",matching=greedy"
	}
	switch schedule {
	case "multi-resource-blossom-same-gpu":
		return "muri-sim:key=srsf"
	case "multi-resource-blossom-same-gpu-unaware":
		return "muri-sim:key=las"
	case "multi-resource-blossom-same-gpu-unaware-worstordering":
		return "muri-sim:key=las,order=worst"
	case "multi-resource-gpu-unaware":
		return "muri-sim:key=las,matching=none"
	}
	// of the authors' scripts: at most so many jobs in a group
	most, ok := strings.CutPrefix(schedule, "multi-resource-blossom-same-gpu-unaware-yarn-")
	if ok && slices.Contains([]string{"2", "3", "4"}, most) {
		return "muri-sim:key=las,max=" + most
	}
	return ""
}

// shared runs a trace with one of them.
func (m *muriRuns) shared(ctx context.Context, w *sim.Workload, top *cluster.Topology, spec string,
	list *reference.Rows) (map[string]reference.Life, error) {
	p, err := muri.Open(filepath.Dir(m.stages))
	if err != nil {
		return nil, err
	}
	opt := muri.Options{}
	if strings.Contains(spec, "order=worst") {
		opt.Order = stages.Worst
	}
	speed, err := muri.New(p, opt)
	if err != nil {
		return nil, err
	}
	lives, err := m.f.PlayAt(ctx, w, top, spec+",profile="+p.Dir, speed, nil)
	if err != nil {
		return nil, err
	}
	got := make(map[string]reference.Life, len(lives))
	for i := range list.Cells {
		got[list.Text(i, "job_id")] = lives[fmt.Sprintf("%09d", i)]
	}
	return got, nil
}

// muriNear compares the mean completion time of a run with a cell.
func (o *outcome) muriNear(r *reference.Rows, row int, file, what string, got map[string]reference.Life) error {
	want, err := r.Number(row, "mean_jct_s")
	if err != nil {
		return err
	}
	o.near(file, what, muriFigures(got)["mean_jct_s"], want)
	return nil
}

// near counts a mean, which is to be within 3 %.
func (o *outcome) near(file, what string, mean, want float64) {
	line := fmt.Sprintf("%s: mean %.2f s, there %.2f s: %+.2f %%", what, mean, want, 100*(mean/want-1))
	good := math.Abs(mean/want-1) <= muriWithin
	if o.One("means", file, good); good {
		o.Beyond = append(o.Beyond, line)
		return
	}
	o.Short = append(o.Short, line)
}

// muriMean compares the mean of one file, and states how many jobs end at the same time.
func (o *outcome) muriMean(ctx context.Context, m *muriRuns, name, trace, schedule string) error {
	want, err := reference.ReadRows(filepath.Join(m.f.Dir, name), "job", "end_s", "jct_s")
	if err != nil {
		o.One("means", name, false)
		return err
	}
	got, err := m.run(ctx, trace, schedule)
	if err != nil {
		o.One("means", name, false)
		return err
	}
	sum, equal := 0.0, 0
	for i := range want.Cells {
		end, err1 := want.Number(i, "end_s")
		jct, err2 := want.Number(i, "jct_s")
		if err1 != nil || err2 != nil {
			return fmt.Errorf("row %d: end_s and jct_s, expected numbers", i+1)
		}
		sum += jct
		if math.Abs(got[want.Text(i, "job")].End-end) <= muriS {
			equal++
		}
	}
	o.Leave("ends", name, len(want.Cells), "another optimal matching changes a run: the mean is compared")
	o.near(name, fmt.Sprintf("%s, where %d of %d jobs end at the same time", name, equal, len(want.Cells)),
		muriFigures(got)["mean_jct_s"], sum/float64(len(want.Cells)))
	return nil
}

// muriShared compares what is of groups: vectors, the published order, and the authors' figures.
func (o *outcome) muriShared(ctx context.Context, m *muriRuns) {
	for _, part := range []struct {
		file    string
		compare func(context.Context, *muriRuns) error
	}{{muriPacking, o.muriPackings}, {muriMatching, o.muriMatchings}, {muriSummary, o.muriOrder},
		{muriAuthors, o.muriCommitted}} {
		if !slices.Contains(m.f.Files, part.file) {
			continue
		}
		if err := part.compare(ctx, m); err != nil {
			o.Short = append(o.Short, fmt.Sprintf("%s: %v", part.file, err))
		}
	}
}

// muriTimes are the stages of the jobs of a row.
func muriTimes(p *muri.Profile, r *reference.Rows, row int) (times []stages.Times, alone float64, err error) {
	n, err := r.Number(row, "num_gpu")
	if err != nil {
		return nil, 0, err
	}
	for _, model := range strings.Fields(r.Text(row, "models")) {
		s, ok := p.Of(model, int(n))
		if !ok {
			return nil, 0, fmt.Errorf("row %d: no stages of %q", row+1, model)
		}
		times, alone = append(times, s.Times), alone+s.IterS
	}
	return times, alone, nil
}

// muriPackings compares groups of jobs.
func (o *outcome) muriPackings(_ context.Context, m *muriRuns) error {
	r, err := reference.ReadRows(filepath.Join(m.f.Dir, muriPacking), "num_gpu", "models", "best_raw_s", "best_s",
		"best_used_ratio", "sum_iteration_time_s")
	if err != nil {
		return err
	}
	p, err := muri.Open(filepath.Dir(m.stages))
	if err != nil {
		return err
	}
	for i := range r.Cells {
		times, alone, err := muriTimes(p, r, i)
		if err != nil {
			return err
		}
		group := stages.GroupS(times, alone, stages.Best)
		worst := 0.0
		for column, x := range map[string]float64{"best_raw_s": stages.Round(times, stages.Best), "best_s": group,
			"best_used_ratio": stages.Used(times, group), "sum_iteration_time_s": alone} {
			want, err := r.Number(i, column)
			if err != nil {
				return err
			}
			worst = max(worst, math.Abs(x/want-1))
		}
		if o.One("packings", muriPacking, worst <= muriVector); worst <= muriVector {
			continue
		}
		o.Short = append(o.Short, fmt.Sprintf("%s, row %d: differs by a part of %.3g", muriPacking, i+1, worst))
	}
	return nil
}

// muriMatchings compares the weight of matchings of single jobs.
func (o *outcome) muriMatchings(_ context.Context, m *muriRuns) error {
	r, err := reference.ReadRows(filepath.Join(m.f.Dir, muriMatching), "num_gpu", "models", "total_weight")
	if err != nil {
		return err
	}
	p, err := muri.Open(filepath.Dir(m.stages))
	if err != nil {
		return err
	}
	for i := range r.Cells {
		times, _, err := muriTimes(p, r, i)
		if err != nil {
			return err
		}
		want, err := r.Number(i, "total_weight")
		if err != nil {
			return err
		}
		var edges []assign.Edge
		for a := range times {
			for b := a + 1; b < len(times); b++ {
				two := []stages.Times{times[a], times[b]}
				edges = append(edges, assign.Edge{A: a, B: b,
					Weight: stages.Used(two, stages.GroupS(two, 0, stages.Best))})
			}
		}
		got, err := assign.MaxWeight(len(times), edges, false)
		if err != nil {
			return err
		}
		err = reference.Proof(got.Verify(edges, false), got.Weight)
		good := err == nil && math.Abs(got.Weight-want) <= muriWeight*max(1, want)
		if o.One("matchings", muriMatching, good); !good {
			o.Short = append(o.Short, fmt.Sprintf("%s, row %d: weight %.12g, there %.12g (%v)", muriMatching, i+1,
				got.Weight, want, err))
		}
	}
	return nil
}
