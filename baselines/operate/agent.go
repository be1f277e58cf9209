package operate

import (
	"fmt"
	"slices"

	"tarry/internal/netfile"
	"tarry/sim"
	"tarry/sim/param"
)

// Desk is where the operator of NewAsking leaves its questions to an agent outside of the run.
type Desk struct {
	// Asked: an epoch began, and Answers are to be written before the next instant.
	Asked bool
	// Readings are of each service at the epoch, Answers a choice for each.
	Readings []Reading
	Answers  []int
}

// agent states at every epoch how many replicas each service is to have: by a rule, a network, or the
// answers at a desk. It looks at the epoch and acts a microsecond later in each case.
type agent struct {
	every sim.Time
	least int   // replicas of each service at least
	desk  *Desk // nil = a rule or a network
	rule  ScaleRule
	net   *netfile.Net // in place of rule; nil = none
	knows bool         // what comes

	at    sim.Time // of the next epoch
	due   sim.Time // when its choices are carried out; 0 = none are pending
	of    []asked
	reads []Reading

	obs  [NumReadingFeatures]float64 // scratch
	mask [NumScaleChoices]bool
}

// asked is what an agent keeps of a service.
type asked struct {
	wanted, choice, calm int
	load, arrived, good  float64 // at the last epoch
}

const everyParams = `
every_s   time from one choice to the next, s
least     replicas of each service at least`

// LearnedParams are the parameters of NewLearned.
const LearnedParams = `rule      what chooses one replica more, the same or one fewer: least-1.5: toward the operator least's number with headroom
          1.5, and so on; recent: for the highest load of the last epoch; lifecycle: fewer only after six epochs; fixed: the
          most; coming: by the loads to come
weights   a file of tarry export weights of an agent of tarry/Replicas-v0, in place of rule; none` +
	everyParams + lendParams + placeParams + reclaimParams

// NewLearned makes an operator that asks an agent at every epoch for one replica more or fewer of each
// service: a network, or a rule in its place.
func NewLearned(s *param.Set) (sim.Operator, error) {
	var names []string
	rules := ScaleRules()
	for _, r := range rules {
		names = append(names, r.Name)
	}
	agent := &agent{}
	given, name := s.Has("rule"), s.Enum("rule", names...)
	for _, r := range rules {
		if r.Name == name {
			agent.rule, agent.knows = r, r.Clairvoyant
		}
	}
	if path := s.Text("weights", noWeights); path != noWeights {
		net, err := readNet(path)
		switch {
		case given:
			s.FaultAt("weights", "weights and rule are given, expected one of the two")
		case err != nil:
			s.FaultAt("weights", "%w", err)
		default:
			agent.rule, agent.knows = ScaleRule{}, false
			agent.net = net
		}
	}
	return newAsking(s, agent)
}

// noWeights is the setting of no file.
const noWeights = "none"

// readNet reads a network that makes the choices.
func readNet(path string) (*netfile.Net, error) {
	n, err := netfile.Load(path)
	if err == nil && (n.In() != NumReadingFeatures || n.Out() != NumScaleChoices || !n.Masked()) {
		err = fmt.Errorf("%s: %d numbers to %d choices, expected the %d to %d of tarry/Replicas-v0, masked", path, n.In(),
			n.Out(), NumReadingFeatures, NumScaleChoices)
	}
	return n, err
}

// NewAsking makes the operator of an agent outside of the run, which answers at the desk. Its readings
// have the loads to come, for clairvoyant rules.
func NewAsking(s *param.Set, desk *Desk) (sim.Operator, error) {
	return newAsking(s, &agent{desk: desk, knows: true})
}

func newAsking(s *param.Set, agent *agent) (sim.Operator, error) {
	o := &Operator{agent: agent}
	agent.every = sim.Seconds(s.Float("every_s", 600, 1, 1e6))
	agent.least = s.Int("least", 1, 0, 1<<20)
	o.readLoans(s)
	return o, s.Err()
}

// look asks the agent where an epoch begins, and carries its choices out a microsecond later.
func (t *agent) look(v *sim.View) {
	now := v.Now()
	if t.of == nil {
		t.begin(v)
	}
	if t.due > 0 && now >= t.due {
		t.due = 0
		for i := range t.of {
			choice := t.of[i].choice
			if t.desk != nil {
				choice = t.desk.Answers[i]
			}
			t.of[i].wanted += choice - Same
		}
	}
	if now < t.at {
		return
	}
	t.at, t.due = now-now%t.every+t.every, now+1
	for i := range t.of {
		t.read(v, i)
	}
	if t.desk != nil {
		t.desk.Asked = true
		t.desk.Readings = append(t.desk.Readings[:0], t.reads...)
		t.desk.Answers = t.desk.Answers[:0]
		for range t.of {
			t.desk.Answers = append(t.desk.Answers, Same)
		}
		return
	}
	for i := range t.of {
		t.of[i].choice = t.choose(i)
	}
}

// choose is what the agent inside chooses for a service.
func (t *agent) choose(i int) int {
	if t.net == nil {
		return t.rule.Choose(&t.reads[i], &t.of[i].calm)
	}
	t.reads[i].Write(t.obs[:])
	t.reads[i].Mask(t.mask[:])
	var action [1]float64
	t.net.Act(action[:], t.obs[:], t.mask[:])
	return int(action[0])
}

// begin has as many replicas as the operator least.
func (t *agent) begin(v *sim.View) {
	n := v.Services().Len()
	t.of, t.reads = make([]asked, n), make([]Reading, n)
	for i := range t.of {
		t.read(v, i)
		t.of[i].wanted = t.reads[i].For(1.1, t.reads[i].Load)
	}
}

// read makes the reading of a service.
func (t *agent) read(v *sim.View, i int) {
	s, of, now := v.Services(), &t.of[i], v.Now()
	l := s.Ledger(i)
	r := Reading{spec: s.Spec(i), latency: s.Latency(), rate: rateOf(v, i), now: now, Load: s.Load(i), Last: of.load,
		Backlog: l.Backlog, Attained: 1, Wanted: of.wanted, Ready: s.Ready(i)}
	r.least = min(t.least, r.Most())
	r.Highest = highest(v, i, max(0, now-t.every), now)
	if t.knows {
		r.Coming = highest(v, i, now, now+t.every+sim.Seconds(r.spec.StartS))
	}
	if came := l.Arrived - of.arrived; came > 0 {
		r.Attained = min(1, max(0, (l.Good-of.good)/came))
	}
	first, end := s.Replicas(i)
	for id := first; id < end; id++ {
		if v.Run(id).State() == sim.Running {
			r.Held++
		}
	}
	r.free = float64(v.Free().Total()) / float64(v.Topology().GPUs())
	of.load, of.arrived, of.good = r.Load, l.Arrived, l.Good
	t.reads[i] = r
}

// next is when the agent is to look again.
func (t *agent) next() sim.Time {
	if t.due > 0 {
		return t.due
	}
	return t.at
}

func (t *agent) clone() *agent {
	if t == nil {
		return nil
	}
	c := *t
	c.of, c.reads = slices.Clone(t.of), slices.Clone(t.reads)
	if t.net != nil {
		c.net = t.net.Fork()
	}
	return &c
}
