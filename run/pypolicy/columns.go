package pypolicy

import (
	"math"

	"tarry/sim"
	"tarry/sim/know"
)

// Column is a column of jobs: a number of 64 bits for each.
type Column struct {
	// Name is the attribute in Python, Doc what it holds, with its unit.
	Name, Doc string
	// Needs opens it: any of these permissions; know.Nothing = everyone may read it.
	Needs know.Set
	// Real states that the numbers are floating-point ones, else they are whole.
	Real bool
	// Coded states that the numbers are codes of names, which Names lists.
	Coded bool
	// Moves states that it changes while a job waits.
	Moves bool

	whole func(s *Session, j sim.JobID) int64
	real  func(s *Session, j sim.JobID) float64
	names *names
}

// bits is the number of a job as a word.
func (c *Column) bits(s *Session, j sim.JobID) int64 {
	if c.Real {
		return int64(math.Float64bits(c.real(s, j)))
	}
	return c.whole(s, j)
}

// names are the names of a coded column in the order in which they came.
type names struct {
	index map[string]int64
	list  []string
}

// code is the code of a name.
func (n *names) code(name string) int64 {
	if n.index == nil {
		n.index = map[string]int64{}
	}
	c, ok := n.index[name]
	if !ok {
		c = int64(len(n.list))
		n.index[name], n.list = c, append(n.list, name)
	}
	return c
}

// Columns lists the columns of jobs; their numbers are their places in it. Each call gives a list
// with names of its own.
func Columns() []Column {
	var all []Column
	add := func(c Column) { all = append(all, c) }
	count := func(name, doc string, of func(sim.JobInfo) int) {
		add(Column{Name: name, Doc: doc, whole: func(s *Session, j sim.JobID) int64 { return int64(of(s.view.Job(j))) }})
	}
	name := func(name, doc string, of func(sim.JobInfo) string) {
		n := &names{}
		add(Column{Name: name, Doc: doc, Coded: true, names: n,
			whole: func(s *Session, j sim.JobID) int64 { return n.code(of(s.view.Job(j))) }})
	}
	asked := func(name, doc string, of func(sim.JobInfo) sim.Time) {
		all = append(all, times(name, doc, false, func(s *Session, j sim.JobID) sim.Time { return of(s.view.Job(j)) })...)
	}
	lived := func(name, doc string, of func(sim.RunInfo) sim.Time) {
		all = append(all, times(name, doc, false, func(s *Session, j sim.JobID) sim.Time { return of(s.view.Run(j)) })...)
	}
	add(Column{Name: "job", Doc: "number of the job in the run, in the order of arrival",
		whole: func(_ *Session, j sim.JobID) int64 { return int64(j) }})
	count("gpus", "GPUs that the job asks for", sim.JobInfo.GPUs)
	add(Column{Name: "width", Doc: "GPUs that the job asks for, a share counted as a part of one", Real: true,
		real: func(s *Session, j sim.JobID) float64 { return s.view.Job(j).Width() }})
	count("min_gpus", "least GPUs on which the job runs", func(i sim.JobInfo) int { lo, _ := i.Range(); return lo })
	count("max_gpus", "most GPUs on which the job runs", func(i sim.JobInfo) int { _, hi := i.Range(); return hi })
	count("worker_gpus", "size of one worker: numbers of GPUs are its multiples", sim.JobInfo.WorkerGPUs)
	count("share_milli", "part of each GPU asked for, thousandths; 0 = the whole",
		func(i sim.JobInfo) int { return int(i.ShareMilli()) })
	count("cpu_milli", "CPU asked for per GPU, thousandths of a core; 0 = not stated",
		func(i sim.JobInfo) int { return int(i.PerGPU().CPUMilli) })
	count("mem_mib", "host memory asked for per GPU, MiB; 0 = not stated",
		func(i sim.JobInfo) int { return int(i.PerGPU().MemMiB) })
	count("priority", "the owner's own priority, larger is more urgent; 0 = none",
		func(i sim.JobInfo) int { return int(i.Public().Priority) })
	count("batch_size", "global batch, samples; 0 = not known",
		func(i sim.JobInfo) int { return int(i.Public().BatchSize) })
	count("gpu_mib", "memory needed on each GPU, MiB; 0 = not known, as before the job has run without \"profile\"",
		func(i sim.JobInfo) int { return int(i.GPUMiB()) })
	add(Column{Name: "gpu_util_frac", Real: true,
		Doc:  "part of the time for which the job keeps a GPU busy; 0 = not known, as before it has run without \"profile\"",
		real: func(s *Session, j sim.JobID) float64 { return s.view.Job(j).GPUUtilFrac() }})
	name("gpu_type", "GPU type that the job insists on; \"\" = any", sim.JobInfo.GPUType)
	name("model", "name of the model; \"\" = unknown", sim.JobInfo.Model)
	name("user", "owner; \"\" = unknown", sim.JobInfo.User)
	name("vc", "virtual cluster; \"\" = unknown", sim.JobInfo.VC)
	name("group", "group of the owner; \"\" = unknown", sim.JobInfo.Group)
	asked("submit", "arrival", sim.JobInfo.Submit)
	asked("request", "run time that the user asked for; 0 = unknown", sim.JobInfo.Request)
	asked("deadline", "time by which the job should be done; inf = none", sim.JobInfo.Deadline)
	lived("since", "when the job began to wait, or got its present GPUs", sim.RunInfo.Since)
	all = append(all, times("wait", "time since the job began to wait, or got its present GPUs", true,
		func(s *Session, j sim.JobID) sim.Time { return s.view.Now() - s.view.Run(j).Since() })...)
	lived("started", "first start; inf before it", sim.RunInfo.Started)
	lived("run", "time for which the job has run, pauses not counted", sim.RunInfo.Time)
	lived("service", "attained service, GPU time", sim.RunInfo.Service)
	lived("lease_end", "end of the present lease; inf = none", sim.RunInfo.LeaseEnd)
	lived("checkpoint", "time for which a preemption now keeps the GPUs busy", sim.RunInfo.CheckpointTime)
	lived("unsaved", "running time since the last checkpoint", sim.RunInfo.Unsaved)
	lived("next_checkpoint", "next periodic checkpoint; inf = none", sim.RunInfo.NextCheckpoint)
	all = append(all, measured()...)
	return append(all, hidden()...)
}

// measured are the columns of what any cluster measures of a job.
func measured() []Column {
	count := func(name, doc string, of func(sim.RunInfo) int) Column {
		return Column{Name: name, Doc: doc, whole: func(s *Session, j sim.JobID) int64 { return int64(of(s.view.Run(j))) }}
	}
	speed := func(name, doc string, of func(sim.Speed) float64) Column {
		return Column{Name: name, Doc: doc, Real: true,
			real: func(s *Session, j sim.JobID) float64 { return of(s.view.Run(j).Speed()) }}
	}
	return []Column{
		count("preemptions", "preemptions so far", sim.RunInfo.Preemptions),
		count("held", "GPUs that the job holds", func(i sim.RunInfo) int { return len(i.Held()) }),
		count("level", "level of the present or last allocation: 0 slot, 1 machine, 2 rack, 3 cluster",
			func(i sim.RunInfo) int { return int(i.Level()) }),
		count("state", "1 waits, 2 runs, 3 writes its checkpoint; another number: it has left",
			func(i sim.RunInfo) int { return stateOf(i.State()) }),
		speed("rate", "present speed of a running job, seconds of one reference GPU per second",
			func(x sim.Speed) float64 { return x.Rate }),
		speed("compute_frac", "part of the running time spent computing",
			func(x sim.Speed) float64 { return x.ComputeFrac }),
		{Name: "draw_w", Doc: "draw of a running job's GPUs on top of idle, W; nan where the run states no power", Real: true,
			real: func(s *Session, j sim.JobID) float64 { return s.view.Power().Draw(j) }},
	}
}

// stateOf is the number of a state in Python.
func stateOf(s sim.JobState) int {
	switch s {
	case sim.Waiting:
		return 1
	case sim.Running:
		return 2
	case sim.Draining:
		return 3
	}
	return 4
}

// hidden are the columns that a declaration opens.
func hidden() []Column {
	done := know.Done | know.Work | know.Progress
	out := slicesOf(
		works("work", "work of the job, on one reference GPU", know.Work,
			func(s *Session, j sim.JobID) float64 { return s.view.Job(j).Work() }),
		works("left", "work that is left, on one reference GPU", know.Work,
			func(s *Session, j sim.JobID) float64 { return s.view.Run(j).Left() }),
		works("done", "work that is done, on one reference GPU", done,
			func(s *Session, j sim.JobID) float64 { return s.view.Run(j).Done() }),
		works("estimate", "estimated work of the job, on one reference GPU", know.Estimate,
			func(s *Session, j sim.JobID) float64 { return s.view.Job(j).Estimate() }),
		works("next_mark", "work done at which the speed of a running job changes; inf = none", know.Progress,
			func(s *Session, j sim.JobID) float64 { return s.view.Run(j).NextMark() }))
	return append(out,
		Column{Name: "iterations", Doc: "training iterations of the job; 0 = unknown", Needs: know.Work,
			whole: func(s *Session, j sim.JobID) int64 { return s.view.Job(j).Iterations() }},
		Column{Name: "iter_s", Doc: "time of one iteration on one GPU, s; 0 = unknown", Needs: done, Real: true,
			real: func(s *Session, j sim.JobID) float64 { return s.view.Job(j).IterS() }})
}

func slicesOf(all ...[]Column) (out []Column) {
	for _, a := range all {
		out = append(out, a...)
	}
	return out
}

// times is a time in seconds and in whole microseconds.
func times(name, doc string, moves bool, of func(s *Session, j sim.JobID) sim.Time) []Column {
	return []Column{
		{Name: name + "_s", Doc: doc + ", s", Real: true, Moves: moves,
			real: func(s *Session, j sim.JobID) float64 { return of(s, j).Seconds() }},
		{Name: name + "_us", Doc: doc + ", microseconds; the largest number stands for inf", Moves: moves,
			whole: func(s *Session, j sim.JobID) int64 { return int64(of(s, j)) }},
	}
}

// works is work in seconds and in microseconds.
func works(name, doc string, needs know.Set, of func(s *Session, j sim.JobID) float64) []Column {
	return []Column{
		{Name: name + "_s", Doc: doc + ", s", Needs: needs, Real: true,
			real: func(s *Session, j sim.JobID) float64 { return of(s, j) / 1e6 }},
		{Name: name + "_us", Doc: doc + ", microseconds", Needs: needs, Real: true, real: of},
	}
}
