package k8s

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/mig"
	"tarry/sim/recorded"
	"tarry/sim/tabular"
	"tarry/traces/intake"
	"tarry/traces/nodes"
)

// measured is what a pod asks for, and its times in microseconds since 1970.
type measured struct {
	gpus, share, gpuMiB        int64
	cpuMilli, memMiB, priority int64
	typ, phase, node           string
	created, from, to          int64 // to = 0: still running
}

// job is one job with its pods.
type job struct {
	id, vc string
	line   int
	pods   []measured
}

// measure reads a pod; faults are noted in its row.
func (p *pods) measure(one *pod, row *tabular.Row) measured {
	m := measured{phase: strings.Clone(one.Status.Phase), priority: one.Spec.Priority,
		node: strings.Clone(one.Spec.Node)}
	need := one.needs()
	var wrong string
	var okCPU, okMem bool
	if m.gpus, wrong = need.gpus(); wrong != "" {
		row.Rejectf("resource %q is %q, expected a whole number", wrong, need[wrong])
	}
	m.cpuMilli, okCPU = need.amount("cpu", 1e-3)
	m.memMiB, okMem = need.amount("memory", 1<<20)
	if !okCPU || !okMem {
		row.Rejectf("requests of cpu %q and memory %q, expected amounts such as 31850m and 263Gi", need["cpu"],
			need["memory"])
	}
	p.instances(&m, need, row)
	m.part(one, row)
	if m.gpus > intake.MaxGPUs {
		row.Rejectf("the pod asks for %d GPUs, expected at most %d", m.gpus, intake.MaxGPUs)
	}
	p.times(&m, one, row)
	if m.gpus == 0 {
		return m
	}
	for name := range need {
		if strings.HasSuffix(name, "/gpucores") || strings.HasSuffix(name, "/gpumem") || name == "aliyun.com/gpu-mem" {
			p.cores++
			break
		}
	}
	types := one.types()
	if len(types) == 1 {
		m.typ = strings.Clone(types[0])
		if prefix, profile, ok := nodes.Profile(m.typ); ok { // nodes whose GPUs are cut alike count instances
			m.typ = prefix
			m.instance(profile)
		}
	} else if len(types) > 1 {
		p.choices++
	}
	return m
}

// needs adds up the requests of containers; of a resource without a request its limit counts. One
// initial container may ask for more than all others together.
func (p *pod) needs() resources {
	sum := map[string]float64{}
	broken := resources{}
	each := func(c *container, put func(name string, v float64)) {
		for _, name := range c.names() {
			text, ok := c.Resources.Requests[name]
			if !ok {
				text = c.Resources.Limits[name]
			}
			v, ok := quantity(string(text))
			if !ok {
				broken[name] = text
				continue
			}
			put(name, v)
		}
	}
	for i := range p.Spec.Containers {
		each(&p.Spec.Containers[i], func(name string, v float64) { sum[name] += v })
	}
	for i := range p.Spec.Init {
		each(&p.Spec.Init[i], func(name string, v float64) { sum[name] = max(sum[name], v) })
	}
	out := resources{}
	for name, v := range sum {
		out[name] = number(v)
	}
	for name, text := range broken {
		out[name] = text
	}
	return out
}

// names lists the resources of a container, in order.
func (c *container) names() []string {
	var out []string
	for name := range c.Resources.Requests {
		out = append(out, name)
	}
	for name := range c.Resources.Limits {
		if _, ok := c.Resources.Requests[name]; !ok && name != "cpu" && name != "memory" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func number(v float64) text { return text(strconv.FormatFloat(v, 'g', -1, 64)) }

// instances takes instances of MIG as parts of GPUs.
func (p *pods) instances(m *measured, need resources, row *tabular.Row) {
	for _, profile := range need.sortedMIG() {
		n, ok := need.amount(migResource+profile, 1)
		_, name, known := nodes.Profile(profile)
		if !ok || !known {
			row.Rejectf("resource %q is %q, expected a number of instances of a MIG profile", migResource+profile,
				need[migResource+profile])
			return
		}
		if n == 0 || m.gpus > 0 {
			continue
		}
		m.gpus = n
		m.instance(name)
	}
}

// instance takes each GPU as an instance of a MIG profile.
func (m *measured) instance(profile string) {
	for _, d := range mig.Devices() {
		for _, have := range d.Profiles {
			if have.Name == profile && m.share == 0 {
				m.share, m.gpuMiB = int64(have.Milli()), int64(have.MiB)
			}
		}
	}
	if m.share == 1000 {
		m.share = 0
	}
}

// part takes a part of one GPU from annotations.
func (m *measured) part(one *pod, row *tabular.Row) {
	notes := resources{}
	for k, v := range one.Metadata.Annotations {
		notes[k] = text(v)
	}
	if count, ok := notes.amount("alibabacloud.com/gpu-count", 1); ok && count > 0 && m.gpus == 0 {
		m.gpus = count
	}
	milli, ok := notes.amount("alibabacloud.com/gpu-milli", 1)
	if !ok || milli > 1000 {
		row.Rejectf("annotation alibabacloud.com/gpu-milli is %q, expected 1 to 1000",
			notes["alibabacloud.com/gpu-milli"])
		return
	}
	if fraction, ok := notes["gpu-fraction"]; ok {
		v, ok := quantity(string(fraction))
		if !ok || v <= 0 || v > 1 {
			row.Rejectf("annotation gpu-fraction is %q, expected more than 0 to 1", fraction)
			return
		}
		milli = max(1, int64(math.Round(v*1000)))
	}
	if milli > 0 && milli < 1000 {
		m.gpus, m.share = max(m.gpus, 1), milli
	}
}

// types lists the GPU types that a pod accepts; nil = any.
func (p *pod) types() []string {
	if v := product(p.Spec.NodeSelector); v != "" {
		return []string{v}
	}
	if v := p.Metadata.Annotations["alibabacloud.com/gpu-card-model"]; v != "" {
		return strings.Split(v, "|")
	}
	var out []string
	for _, term := range p.Spec.Affinity.Node.Required.Terms {
		for _, e := range term.Expressions {
			if e.Operator == "In" && slices.Contains(productLabels(), e.Key) {
				out = append(out, e.Values...)
			}
		}
	}
	return out
}

// times reads when the pod was created, started and ended.
func (p *pods) times(m *measured, one *pod, row *tabular.Row) {
	read := func(field, value string) int64 {
		v, ok := clock(value)
		if !ok {
			row.Rejectf("%s is %q, expected a time such as 2024-03-01T08:00:00Z", field, value)
		}
		p.latest = max(p.latest, v)
		return v
	}
	m.created = read("creationTimestamp", one.Metadata.Created)
	start := read("startTime", one.Status.Start)
	restarted, running := false, one.Status.Phase == "Running"
	for _, s := range one.Status.Containers {
		restarted = restarted || s.Restarts > 0
		for _, at := range []span{s.State.Running, s.State.Terminated} {
			if v := read("startedAt", at.Started); v > 0 && (m.from == 0 || v < m.from) {
				m.from = v
			}
			m.to = max(m.to, read("finishedAt", at.Finished))
		}
		running = running || s.State.Running.Started != ""
	}
	if start > 0 && (restarted || m.from == 0 && running) {
		m.from = start
	}
	if m.created == 0 {
		m.created = cmp.Or(start, m.from)
	}
	if running {
		m.to = 0
	}
	if m.to > 0 && m.to < m.from {
		row.Rejectf("the pod ends before it starts")
	}
}

// most gives the most GPUs that the pods have at once, and the sum of run time x GPUs in
// microseconds; +Inf is impossible, and what does not fit becomes a time that is refused.
func (j *job) most(latest int64) (gpus int64, work float64) {
	type step struct{ at, by int64 }
	var steps []step
	for _, m := range j.pods {
		to := cmp.Or(m.to, max(latest, m.from))
		steps = append(steps, step{m.from, m.gpus}, step{to, -m.gpus})
		work += float64(float64(to-m.from) * float64(m.gpus))
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	now := int64(0)
	for _, s := range steps {
		now += s.by
		gpus = max(gpus, now)
	}
	return gpus, work
}

// keep makes one job of its pods.
func (p *pods) keep(j *job) error {
	row := tabular.NewRow(p.name, j.line, 0, nil, nil)
	gpus, work := j.most(p.latest)
	first, last := j.pods[0], j.pods[0]
	mixed, running := false, false
	for _, m := range j.pods {
		mixed = mixed || m.share != first.share || m.typ != first.typ
		running = running || m.to == 0
		first.created, first.priority = min(first.created, m.created), max(first.priority, m.priority)
		if m.to > last.to {
			last = m
		}
	}
	if gpus == 0 || work < 1 {
		return p.c.Skip(row, "the pod ran for 0 s")
	}
	if mixed {
		p.mix++
	}
	state := last.phase
	if running {
		p.cut++
		state = "Running"
	}
	out := sim.Job{ID: j.id, VC: j.vc, State: state, Submit: sim.Time(first.created), GPUType: first.typ,
		GPUs: int32(min(gpus, intake.MaxGPUs+1)), ShareMilli: int32(first.share), GPUMiB: int32(first.gpuMiB),
		CPUMilli: int32(min(first.cpuMilli/first.gpus, math.MaxInt32)),
		MemMiB:   int32(min(first.memMiB/first.gpus, math.MaxInt32)),
		Priority: int32(max(math.MinInt32, min(first.priority, math.MaxInt32)))}
	out.Work = sim.Never
	if work < 1e18 {
		out.Work = intake.ShareWork(int64(work), out.ShareMilli)
	}
	out.Record = j.record(first.created)
	return p.c.Keep(row, out)
}

// record is the first start of a job, and the nodes of the pods that started before a pod
// of the job ended.
func (j *job) record(created int64) *recorded.Run {
	start, end := int64(math.MaxInt64), int64(math.MaxInt64)
	for _, m := range j.pods {
		start, end = min(start, m.from), min(end, cmp.Or(m.to, math.MaxInt64))
	}
	var places []recorded.Place
	for _, m := range j.pods {
		if m.node != "" && m.from < end {
			places = append(places, recorded.Place{Name: m.node, GPUs: int(m.gpus)})
		}
	}
	return intake.Recorded(created, start, places...)
}
