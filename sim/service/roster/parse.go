package roster

import (
	"fmt"
	"math"
	"strings"

	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/series"
	"tarry/sim/series/table"
	"tarry/sim/service"
	"tarry/sim/service/curves"
)

// None is the setting of a run without services.
const None = "none"

// Forms states how the setting is written; each Params has one line for each option: key, meaning.
const (
	Forms  = "none, steady, day-night or bursty, each with [:gpus=2,own=4,...], or FILE.csv[,own=4,latency=mmc]"
	Params = `gpus         GPUs of a replica
replicas     most replicas; 0 = as many as fit on the services' own machines, or on all where they own none
rate_per_s   requests per second of one replica at speed 1
deadline_s   most seconds from a request to its answer; 0 = none
target_frac  part of the requests that should be answered by then; 0 = none is stated
start_s      seconds from the start of a replica until it serves
share_frac   part of each GPU that a replica takes
gpu_mib      memory of each GPU that it needs, MiB; 0 = not known
util_frac    part of the time for which a replica keeps its GPUs busy when its load is its capacity
cpu_milli    CPU per GPU, 1/1000 core
mem_mib      host memory per GPU, MiB
model        profile by which speeds are asked for; empty = none
gpu_type     only type of GPU it runs on; empty = any
tenant       its owner; empty = none
load_frac    peak of the load, as a part of what all replicas serve; 0 = as the load states it`
	SetParams = `own          machines that belong to the services, the last ones; -1 = a quarter of the cluster's, 0 = none
latency      fluid: requests wait for those before them | mmc: and by chance, as in the queue M/M/c`
)

// Rule is the services of a run on any cluster. It does not change, and runs may share it.
type Rule struct {
	text    string
	own     int
	latency service.Latency
	rows    []row
}

// row is one service before the cluster is known.
type row struct {
	spec service.Spec
	frac float64     // load_frac
	law  *curves.Law // nil = the spec has its load
}

// Parse reads a setting; nil for "" and none. The error joins all faults.
func Parse(text string) (*Rule, error) {
	if text == "" || text == None {
		return nil, nil
	}
	r := &Rule{text: text}
	name, options, _ := strings.Cut(text, ":")
	if law, ok := curves.Named(name); ok {
		s := param.Parse("services "+name, options)
		r.readNamed(s, law)
		return r.checked(s.Err())
	}
	path, options, _ := strings.Cut(text, ",")
	if !table.Is(path) {
		names := []string{None}
		for _, l := range curves.Laws() {
			names = append(names, l.Name)
		}
		return nil, fmt.Errorf("services is %q, expected %s%s", text, Forms, param.Hint(name, names))
	}
	s := param.Parse("services "+path, options)
	r.readSet(s)
	if err := s.Err(); err != nil {
		return nil, err
	}
	var err error
	r.rows, err = readFile(path)
	return r.checked(err)
}

// readNamed reads one service with a drawn load.
func (r *Rule) readNamed(s *param.Set, law curves.Law) {
	given := s.Has("base") || s.Has("peak")
	one := row{law: &law, spec: service.Spec{Name: "online", RatePerS: 10, DeadlineS: 1, Target: 0.99, StartS: 60},
		frac: 0.7}
	if given {
		one.frac = 0
	}
	one.read(s)
	law.Read(s)
	r.readSet(s)
	if given && one.frac > 0 {
		s.Fault("load_frac and base or peak are given, expected one of them")
	}
	r.rows = []row{one}
}

func (r *Rule) readSet(s *param.Set) {
	r.own = s.Int("own", -1, -1, 1<<20)
	if s.Enum("latency", service.Fluid.String(), service.MMC.String()) == service.MMC.String() {
		r.latency = service.MMC
	}
}

// read takes the fields of a service over the row's.
func (o *row) read(s *param.Set) {
	p := &o.spec
	whole := func(key string, def int32, lo, hi int) int32 { return int32(s.Int(key, int(def), lo, hi)) }
	p.GPUs = whole("gpus", 1, 1, 1<<20)
	p.Replicas = whole("replicas", 0, 0, 1<<20)
	p.RatePerS = s.Float("rate_per_s", p.RatePerS, 1e-9, 1e9)
	p.DeadlineS = s.Float("deadline_s", p.DeadlineS, 0, 1e9)
	p.Target = s.Float("target_frac", p.Target, 0, math.Nextafter(1, 0))
	p.StartS = s.Float("start_s", p.StartS, 0, 1e9)
	if share := s.Float("share_frac", 1, 0.001, 1); share < 1 {
		p.ShareMilli = int32(math.Round(share * 1000))
	}
	p.GPUMiB = whole("gpu_mib", 0, 0, math.MaxInt32)
	p.UtilFrac = s.Float("util_frac", 1, 0.001, 1)
	p.CPUMilli = whole("cpu_milli", 0, 0, math.MaxInt32)
	p.MemMiB = whole("mem_mib", 0, 0, math.MaxInt32)
	p.Model, p.GPUType, p.Tenant = s.Text("model", ""), s.Text("gpu_type", ""), s.Text("tenant", "")
	o.frac = s.Float("load_frac", o.frac, 0, 100)
}

// checked finds what no cluster makes good.
func (r *Rule) checked(err error) (*Rule, error) {
	if err != nil {
		return nil, err
	}
	m := service.Model{}
	for i := range r.rows {
		s := r.rows[i].spec
		s.Replicas = max(1, s.Replicas)
		m.Services = append(m.Services, s)
	}
	if err := m.Validate(0); err != nil {
		return nil, err
	}
	return r, nil
}

// Model gives the services of a cluster.
func (r *Rule) Model(t *cluster.Topology) (*service.Model, error) {
	m, n := &service.Model{Latency: r.latency}, r.own
	if n < 0 {
		n = (t.Machines() + 3) / 4
	}
	if n > t.Machines() {
		return nil, fmt.Errorf("services %q: own is %d, expected at most the cluster's %d machines", r.text, n, t.Machines())
	}
	room := make([]int, 0, t.Machines()) // GPUs by machine that replicas fit on
	if n > 0 {
		m.Own = make([]bool, t.Machines())
		for i := t.Machines() - n; i < t.Machines(); i++ {
			m.Own[i] = true
		}
	}
	types := map[string][]int{}
	for i := range t.Machines() {
		if n == 0 || m.Own[i] {
			lo, hi := t.MachineGPUs(i)
			room = append(room, int(hi-lo))
			types[t.Types()[t.TypeOf(i)]] = append(types[t.Types()[t.TypeOf(i)]], int(hi-lo))
		}
	}
	for i := range r.rows {
		s, of := r.rows[i].spec, room
		if s.GPUType != "" {
			of = types[s.GPUType]
		}
		if s.Replicas == 0 {
			if s.Replicas = fitting(&s, of); s.Replicas == 0 {
				return nil, fmt.Errorf("services %q: no replica of %s, of %d GPUs, fits on the %d machines for it, expected "+
					"smaller ones, more machines (own=), or replicas=", r.text, s.Name, s.GPUs, len(of))
			}
		}
		s.Load = r.rows[i].load(&s)
		m.Services = append(m.Services, s)
	}
	return m, m.Validate(t.Machines())
}

// fitting is how many replicas fit on machines with so many GPUs; of those larger than a machine, how
// many fit on all.
func fitting(s *service.Spec, room []int) int32 {
	parts, count, all := 1, 0, 0
	if s.ShareMilli > 0 {
		parts = 1000 / int(s.ShareMilli)
	}
	for _, gpus := range room {
		count += gpus / int(s.GPUs)
		all += gpus
	}
	if count == 0 {
		count = all / int(s.GPUs)
	}
	return int32(min(1<<20, count*parts))
}

// load is the load of a service whose replicas are known.
func (o *row) load(s *service.Spec) *series.Series {
	peak := float64(o.frac*float64(s.Replicas)) * s.RatePerS
	switch {
	case o.law != nil:
		return o.law.Draw(s.Name, peak)
	case s.Load == nil || peak == 0:
		return s.Load
	}
	most := 0.0
	for _, p := range s.Load.Steps {
		most = max(most, p.Value)
	}
	if most == 0 {
		return s.Load
	}
	out := &series.Series{Every: s.Load.Every, Steps: make([]series.Step, len(s.Load.Steps))}
	for i, p := range s.Load.Steps {
		out.Steps[i] = series.Step{At: p.At, Value: p.Value * (peak / most)}
	}
	return out
}

// Help has a line for each of Options: key, meaning.
func Help() string { return Params + "\n" + SetParams + "\n" + curves.LawParams }

// Options lists the options of a service with a load that is drawn, and of the set of services.
func Options(law curves.Law) []param.Setting {
	s := param.Parse("", "")
	(&Rule{}).readNamed(s, law)
	return s.Settings()
}
