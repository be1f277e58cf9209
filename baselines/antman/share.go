package antman

import (
	"math"
	"slices"

	"tarry/baselines/colocate"
	"tarry/sim"
	"tarry/sim/cluster"
)

// mix is who is on the GPUs of the jobs whose shares may have to change, as the decision leaves it.
type mix struct {
	at      []int32 // 1 + number of each GPU in gpus, 0 = none
	gpus    []mixed
	changed []sim.JobID // jobs beside which a job came or left
	moved   []sim.JobID // opportunistic jobs that may have another share beside guaranteed ones
	jobs    []sim.JobID // all that get a share
	wants   []want
	round   uint32 // counts surveys
}

// mixed is a GPU.
type mixed struct {
	gpu    cluster.GPU
	first  sim.JobID // the guaranteed job
	guests int32
	share  int32 // of the opportunistic jobs together
	need   int64 // their memory together
}

// want is what a job is to have.
type want struct {
	job    sim.JobID
	share  int32
	mib    int32 // 0 = as it is
	starts int   // 1 + its place in the starts, 0 = it runs
	// what it has
	hadShare, hadMiB int32
}

// held are the GPUs that a job holds once the decision is carried out, and 1 + its place in the
// starts where it starts.
func (p *Policy) held(v *sim.View, j sim.JobID) ([]cluster.GPU, int) {
	if v.Run(j).State() == sim.Running {
		return v.Run(j).Held(), 0
	}
	s := p.board.Starts()
	i := slices.IndexFunc(s, func(x colocate.Start) bool { return x.Job == j })
	if i < 0 {
		return nil, 0
	}
	return s[i].GPUs, i + 1
}

// touch lists a job as one whose share may have to change.
func (p *Policy) touch(j sim.JobID) {
	if m := &p.mixed; p.jobs[j].seen != m.round {
		p.jobs[j].seen = m.round
		m.jobs = append(m.jobs, j)
	}
}

// survey lists the jobs whose shares may have to change, and counts who is on their GPUs. What a job
// is to have follows from who is on its GPUs, and from what opportunistic jobs there may have beside
// a guaranteed one: so these are jobs beside which one starts or left, opportunistic ones that may
// have more or less, and all that are on GPUs with them.
func (p *Policy) survey(v *sim.View) {
	m := &p.mixed
	if m.at == nil {
		m.at = make([]int32, v.Topology().GPUs())
	}
	for _, x := range m.gpus {
		m.at[x.gpu] = 0
	}
	m.gpus, m.jobs, m.round = m.gpus[:0], m.jobs[:0], m.round+1
	for _, of := range [...][]sim.JobID{v.FewerSharers(), m.moved} {
		for _, j := range of {
			p.touch(j)
		}
	}
	m.moved = m.moved[:0]
	for _, s := range p.board.Starts() {
		p.touch(s.Job)
		for _, g := range s.GPUs {
			for _, j := range v.On(g) {
				p.touch(j)
			}
		}
	}
	for _, j := range m.jobs[:len(m.jobs):len(m.jobs)] {
		gpus, _ := p.held(v, j)
		for _, g := range gpus {
			for _, x := range v.On(g) {
				p.touch(x)
			}
		}
	}
	for _, j := range m.jobs {
		gpus, _ := p.held(v, j)
		for _, g := range gpus {
			p.count(v, g)
		}
	}
	p.countStarts(v)
	slices.Sort(m.jobs)
}

// count counts the opportunistic jobs that run on a GPU, if there are any.
func (p *Policy) count(v *sim.View, g cluster.GPU) {
	m := &p.mixed
	if m.at[g] > 0 {
		return
	}
	x, on := mixed{gpu: g}, v.On(g)
	for _, j := range on {
		if p.jobs[j].first || v.Run(j).State() != sim.Running {
			continue
		}
		x.guests++
		x.need += int64(v.Job(j).GPUMiB())
		if p.jobs[j].seen != m.round { // it keeps what it has
			x.share += v.Run(j).Knobs().ShareMilli
		}
	}
	if x.first = p.leads(on); x.guests > 0 {
		m.gpus = append(m.gpus, x)
		m.at[g] = int32(len(m.gpus))
	}
}

// countStarts counts the jobs that start now, opportunistic ones first.
func (p *Policy) countStarts(v *sim.View) {
	m := &p.mixed
	for _, s := range p.board.Starts() {
		for _, g := range s.GPUs {
			if p.jobs[s.Job].first {
				continue
			}
			if m.at[g] == 0 {
				m.gpus = append(m.gpus, mixed{gpu: g, first: p.leads(v.On(g))})
				m.at[g] = int32(len(m.gpus))
			}
			x := &m.gpus[m.at[g]-1]
			x.guests++
			x.need += int64(v.Job(s.Job).GPUMiB())
		}
	}
	for _, s := range p.board.Starts() {
		for _, g := range s.GPUs {
			if p.jobs[s.Job].first && m.at[g] > 0 {
				m.gpus[m.at[g]-1].first = s.Job
			}
		}
	}
}

// share divides GPUs and their memory: a guaranteed job has what opportunistic ones leave, these
// have what they are allowed beside it, and equal parts where there is none.
func (p *Policy) share(v *sim.View, out []sim.Decision) []sim.Decision {
	p.survey(v)
	p.reset(v)
	m := &p.mixed
	m.wants = m.wants[:0]
	for _, first := range [...]bool{false, true} { // what is left to the guaranteed follows from the others
		for _, j := range m.jobs {
			gpus, starts := p.held(v, j)
			if p.jobs[j].first != first || len(gpus) == 0 { // it was beside a job that left, and left too
				continue
			}
			w := want{job: j, starts: starts, share: p.part1000(v, j, gpus), mib: p.memory(v, j, gpus)}
			if starts == 0 {
				k := v.Run(j).Knobs()
				w.hadShare, w.hadMiB = k.ShareMilli, k.GPUMiB
			}
			m.wants = append(m.wants, w)
			for _, g := range gpus {
				if m.at[g] > 0 && !first {
					m.gpus[m.at[g]-1].share += w.share
				}
			}
		}
	}
	out = p.write(out)
	return p.relook(v, out)
}

// part1000 is the share that a job is to have of each of its GPUs.
func (p *Policy) part1000(v *sim.View, j sim.JobID, gpus []cluster.GPU) int32 {
	m, x, share := &p.mixed, &p.jobs[j], int32(1000)
	if a := v.Job(j).Public(); a.ShareMilli > 0 {
		share = a.ShareMilli
	}
	for _, g := range gpus {
		if m.at[g] == 0 {
			continue
		}
		switch on := &m.gpus[m.at[g]-1]; {
		case x.first:
			share = min(share, 1000-on.share)
		case on.first == sim.NoJob:
			share = min(share, 1000/on.guests)
		default:
			share = min(share, x.share, (1000-p.cfg.keep)/on.guests)
		}
	}
	return max(1, share)
}

// memory is the limit of a job's memory on each of its GPUs in MiB: a guaranteed job has what it
// needs but for a MiB for each of the others, these have parts of what is left in proportion to
// their needs; 0 = it needs none.
func (p *Policy) memory(v *sim.View, j sim.JobID, gpus []cluster.GPU) int32 {
	need := int64(v.Job(j).GPUMiB())
	if need == 0 {
		return 0
	}
	m, limit := &p.mixed, need
	for _, g := range gpus {
		all := colocate.Capacity(v.Topology(), g)
		if all == math.MaxInt64 || m.at[g] == 0 {
			continue
		}
		on := &m.gpus[m.at[g]-1]
		left := all
		if on.first != sim.NoJob {
			mine := min(int64(v.Job(on.first).GPUMiB()), all-int64(on.guests))
			if p.jobs[j].first {
				limit = min(limit, mine)
				continue
			}
			left -= mine
		}
		if left < on.need { // a MiB each, and parts of the rest
			limit = min(limit, 1+(left-int64(on.guests))*need/max(1, on.need))
		}
	}
	return int32(max(1, limit))
}

// write appends the decisions: who has too much is cut, then jobs start, then who may have more
// gets it. So no job ever has more than there is.
func (p *Policy) write(out []sim.Decision) []sim.Decision {
	for _, less := range [...]bool{true, false} {
		for i := range p.mixed.wants {
			w := &p.mixed.wants[i]
			if w.starts > 0 {
				continue
			}
			var k sim.Knobs
			if w.share != w.hadShare && (w.share < w.hadShare) == less {
				k.ShareMilli = w.share
			}
			if w.mib != w.hadMiB && w.mib > 0 && (w.mib < w.hadMiB) == less {
				k.GPUMiB = w.mib
			}
			if k.ShareMilli > 0 || k.GPUMiB > 0 {
				out = append(out, sim.Decision{Kind: sim.Tune, Job: w.job, Knobs: k})
			}
		}
		if !less {
			continue
		}
		for i, s := range p.board.Starts() {
			k := slices.IndexFunc(p.mixed.wants, func(w want) bool { return w.starts == i+1 })
			w := &p.mixed.wants[k]
			out = append(out, sim.Decision{Kind: sim.Start, Job: s.Job, GPUs: s.GPUs,
				Knobs: sim.Knobs{ShareMilli: w.share, GPUMiB: w.mib}})
		}
	}
	return out
}
