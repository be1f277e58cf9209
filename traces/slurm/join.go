package slurm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/recorded"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/nodes"
)

// gang is the rows of one job.
type gang struct {
	user       int32
	components []part
	// waits is a row of the job that never started, nil = there is none.
	waits *record
}

// part is the rows of a job, or of one component of a heterogeneous one, that started, in order.
type part struct {
	number int32
	runs   []record
	end    int64 // of the last run
}

// finish joins the rows of each job and builds the workload.
func (p *log) finish() (*sim.Workload, *intake.Report, error) {
	var rows []record
	for _, key := range p.order {
		rows = rows[:0]
		for at := p.first[key]; at >= 0; at = p.records[at].next {
			rows = append(rows, p.records[at])
		}
		for n, g := range p.gangs(rows) {
			id := key
			if len(p.notes.clusters) < 2 && rows[0].cluster != 0 {
				id = strings.TrimPrefix(key, p.texts[rows[0].cluster]+"/")
			}
			if n > 0 {
				p.notes.reused++
				id = fmt.Sprintf("%s#%d", id, n+1)
			}
			if err := p.keep(id, g); err != nil {
				return nil, nil, err
			}
		}
	}
	p.records, p.first, p.order = nil, nil, nil // the jobs are held, and sorted below
	p.notes.write(p)
	source := p.columns[p.head.gpuColumn()]
	w, report, err := p.c.Finish("slurm", intake.FromFirst,
		origin.Origin{Field: "gpus", Source: "gres/gpu of " + source + "; instances (MIG) as shares of a GPU by their " +
			"compute slices"},
		origin.Origin{Field: "work", Source: "sum over the job's runs of Elapsed x GPUs: the traced run is taken to " +
			"be without communication cost"},
		origin.Origin{Field: "request", Source: "Timelimit"},
		origin.Origin{Field: "vc, group", Source: "Partition, Account"},
		origin.Origin{Field: "cpu and memory", Source: "cpu and mem of " + source + ", divided by the GPUs"})
	if err != nil && report != nil && report.Rows > 0 && report.Wrong() == 0 && !p.notes.gpus {
		err = fmt.Errorf("%w; no row has gres/gpu: Slurm accounts for GPUs with AccountingStorageTRES=gres/gpu", err)
	}
	return w, report, err
}

// gangs separates the jobs that had one id one after another: jobs of different users, or jobs that
// ran at the same time.
func (p *log) gangs(rows []record) []*gang {
	if len(rows) == 1 {
		g := &gang{user: rows[0].user}
		p.add(g, rows[0])
		return []*gang{g}
	}
	slices.SortStableFunc(rows, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.submit, b.submit), cmp.Compare(a.line, b.line))
	})
	var out []*gang
	for _, r := range rows {
		i := slices.IndexFunc(out, func(g *gang) bool { return g.takes(&r) })
		if i < 0 {
			i = len(out)
			out = append(out, &gang{user: r.user})
		}
		p.add(out[i], r)
	}
	return out
}

// takes reports whether a row may be of the same job as the rows of the gang.
func (g *gang) takes(r *record) bool {
	if g.user != r.user && g.user != 0 && r.user != 0 {
		return false
	}
	i := g.find(r.component)
	if i < 0 || !r.started {
		return true
	}
	c := &g.components[i]
	last := c.runs[len(c.runs)-1]
	return r.start == never || r.start == last.start || r.start >= c.end
}

func (g *gang) find(component int32) int {
	return slices.IndexFunc(g.components, func(c part) bool { return c.number == component })
}

// add adds a row to a gang. One with the start of the row before it states the same run again,
// unless the job was resized then: the new size has the start of the old one, and a run from there.
func (p *log) add(g *gang, r record) {
	if !r.started {
		// One submitted before a run of the job started states the same run, as yet waiting.
		if slices.ContainsFunc(g.components, func(c part) bool { return c.runs[len(c.runs)-1].start >= r.submit }) {
			p.notes.repeated++
		} else {
			g.waits = &r
		}
		return
	}
	i := g.find(r.component)
	if i < 0 {
		i = len(g.components)
		g.components = append(g.components, part{number: r.component})
	}
	c := &g.components[i]
	ends := r.end
	if ends == never && r.start != never {
		ends = r.start + r.run
	}
	if n := len(c.runs) - 1; n >= 0 && r.start == c.runs[n].start && (r.start != never || r.submit == c.runs[n].submit) {
		last := &c.runs[n]
		if p.texts[last.state] != "RESIZING" || r.submit <= last.submit {
			p.notes.repeated++
			if !r.open && last.open || r.open == last.open && r.run > last.run {
				*last, c.end = r, ends
			}
			return
		}
		r.lead = c.end - r.start
		r.run = max(0, r.run-r.lead)
	}
	c.runs, c.end = append(c.runs, r), ends
}

// keep makes a job of a gang.
func (p *log) keep(id string, g *gang) error {
	first, last := g.edges()
	row := tabular.NewRow(p.name, int(first.line), 0, nil, nil)
	row.Local = p.local
	several := len(g.components) > 1
	var milli, mib, cpu, mem int64
	var work sim.Time
	var typ int32
	ran, mixed := false, false
	j := sim.Job{ID: id, State: p.texts[last.state], User: p.texts[first.user], Group: p.texts[first.group],
		VC: p.texts[first.vc], Request: sim.Time(first.request), Submit: sim.Time(first.submit)}
	for _, c := range g.components {
		d := c.demand()
		if d == nil {
			continue
		}
		size := d.size(several)
		if ran && d.typ != typ {
			mixed = true
		}
		ran, typ, mixed = true, d.typ, mixed || d.mixed
		milli, mib, cpu, mem = milli+size, mib+int64(d.mib), cpu+d.cpuMilli, mem+d.memMiB
		for i := range c.runs {
			work += workOf(&c.runs[i], several)
		}
	}
	if !ran {
		return p.c.Skip(row, g.reason())
	}
	j.GPUs, j.Work = int32((milli+999)/1000), work
	if milli < 1000 {
		j.ShareMilli, j.GPUMiB = int32(milli), int32(mib)
	}
	if !mixed {
		j.GPUType = p.texts[typ]
	}
	j.CPUMilli, j.MemMiB = each(cpu, j.GPUs), each(mem, j.GPUs)
	if len(p.notes.clusters) > 1 && first.cluster != 0 {
		j.VC = p.texts[first.cluster] + "/" + j.VC
	}
	j.Record = p.recorded(g, first.submit, several)
	p.notes.job(g, first.late, milli < 1000, mixed)
	return p.c.Keep(row, j)
}

// recorded is the first start of a gang, and the nodes of the runs that give its GPUs; nil where the
// log states no start.
func (p *log) recorded(g *gang, submitted int64, several bool) *recorded.Run {
	begun := int64(never)
	var places []recorded.Place
	for i := range g.components {
		d := g.components[i].demand()
		if d == nil {
			continue
		}
		begun = min(begun, d.start)
		names, _ := nodes.Hosts(p.texts[d.nodes]) // a list of another form counts as none
		gpus := int(d.size(several)+999) / 1000
		for _, n := range names {
			one := recorded.Place{Name: n}
			if len(names) == 1 {
				one.GPUs = gpus
			}
			places = append(places, one)
		}
	}
	if begun == never {
		return nil
	}
	return intake.Recorded(submitted, begun, places...)
}

// each is a part of a sum for each of so many GPUs.
func each(sum int64, gpus int32) int32 { return int32(min(sum/int64(max(gpus, 1)), 1<<31-1)) }

// edges gives the first and the last row of a gang; the submit of the first is the earliest.
func (g *gang) edges() (first, last record) {
	rows := []record{}
	for _, c := range g.components {
		rows = append(rows, c.runs...)
	}
	if g.waits != nil {
		rows = append(rows, *g.waits)
	}
	first, last = rows[0], rows[len(rows)-1]
	for _, r := range rows {
		first.submit = min(first.submit, r.submit)
		first.request = cmp.Or(first.request, r.request)
	}
	return first, last
}

// demand is the first run that had GPUs and a length; nil = there is none.
func (c *part) demand() *record {
	for i := range c.runs {
		if c.runs[i].milli > 0 && c.runs[i].run > 0 {
			return &c.runs[i]
		}
	}
	return nil
}

// size is the GPUs of a run in thousandths: whole GPUs where a job has several components.
func (r *record) size(several bool) int64 {
	if several {
		return (int64(r.milli) + 999) / 1000 * 1000
	}
	return int64(r.milli)
}

// workOf is the work of one run.
func workOf(r *record, several bool) sim.Time {
	if size := r.size(several); size >= 1000 {
		return intake.Work(r.run, int32(size/1000))
	}
	return intake.ShareWork(r.run, r.milli)
}

// reason is why a gang without a run is left out.
func (g *gang) reason() string {
	asks := g.waits != nil && g.waits.asks
	for _, c := range g.components {
		for i := range c.runs {
			if r := &c.runs[i]; r.asks {
				return r.reason()
			}
		}
	}
	if !asks {
		return noGPU
	}
	return g.waits.reason()
}

// reason is why one row is no job.
func (r *record) reason() string {
	switch {
	case !r.asks:
		return noGPU
	case r.waiting:
		return pending
	case !r.started:
		return neverRan
	case r.parts:
		return shards
	case r.run < 0:
		return noEnd
	}
	return ranZero
}
