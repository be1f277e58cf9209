package dispatch

import (
	"math"

	"tarry/env/model"
	"tarry/sim/rng"
	"tarry/sim/service/dispatch"
)

// Model is an episode.
type Model struct {
	cfg      *Config
	set      *dispatch.Setting
	law      law
	world    *dispatch.World
	requests [][]dispatch.Request
	possible float64 // part of the requests that could end in time, each alone
	expected float64 // requests of an episode

	done, missed int
	// Of the slot's beginning, for protocol=kais: requests that wait at each target and, beside the one
	// that is to be handed on, at each cluster.
	waits, held []int
}

// setting is the world of a protocol.
func (c *Config) setting() *dispatch.Setting {
	return &dispatch.Setting{Nodes: nodes(), Clusters: clusters, Coefficients: coefficients(), PodCPU: podCPU,
		PodMem: podMem, SlotS: slotS, Slots: math.MaxInt32, Turns: c.Turns, CPUReturned: c.Protocol == fair}
}

func newModel(c *Config) *Model {
	m := &Model{cfg: c, set: c.setting(), law: law{load: c.Load, until: float64(float64(c.Slots) * slotS)},
		requests: make([][]dispatch.Request, clusters), held: make([]int, clusters)}
	m.waits = make([]int, len(m.set.Nodes)+1)
	for _, rate := range rates() {
		m.expected += float64(rate * c.Load * m.law.until)
	}
	return m
}

// Start draws the requests and begins.
func (m *Model) Start(r *rng.Stream) (err error) {
	m.law.draw(r, m.requests)
	if m.world == nil {
		m.world, err = dispatch.New(m.set, m.requests)
	} else {
		err = m.world.Restart(m.requests)
	}
	if err != nil {
		return err
	}
	m.possible = m.set.Possible(m.requests)
	m.done, m.missed = 0, 0
	m.look()
	m.toQuestion()
	return nil
}

// toQuestion continues to the next question. It gives what the slots that ended were paid, and how many
// they were.
func (m *Model) toQuestion() (reward float64, slots int) {
	for {
		if _, _, ok := m.world.Next(); ok {
			return reward, slots
		}
		s := m.world.Close()
		slots++
		missed := 0
		for c := range s.Done {
			m.done += s.Done[c]
			missed += s.Missed[c]
			if m.cfg.Protocol == kais {
				reward += s.Reward[c]
			}
		}
		if m.missed += missed; m.cfg.Protocol == fair {
			reward -= float64(missed) / m.expected
		}
		m.look()
	}
}

// look takes in the beginning of a slot.
func (m *Model) look() {
	for t := range m.waits {
		m.waits[t] = m.world.Waits(t)
	}
	for c := range m.held {
		m.held[c] = max(0, m.world.Held(c)-1)
	}
}

// Act hands the request to a target.
func (m *Model) Act(action []float64) model.Outcome {
	if err := m.world.Hand(int(action[0])); err != nil {
		return model.Outcome{Reward: math.NaN(), Terminated: true} // which the mask excludes
	}
	reward, slots := m.toQuestion()
	return model.Outcome{Reward: reward, Elapsed: float64(slots), Truncated: m.world.Slot() >= m.cfg.Slots}
}

// ended is how many requests were done or missed.
func (m *Model) ended() int { return m.done + m.missed }

// metricNames are what Metrics writes.
func metricNames() []string {
	return []string{"slot", "done", "missed", "served_frac", "possible_frac"}
}

// Metrics writes the slot, requests done and missed, the served part of these, and which part of all
// could be served, each alone.
func (m *Model) Metrics(dst []float64) {
	served := 1.0
	if n := m.ended(); n > 0 {
		served = float64(m.done) / float64(n)
	}
	copy(dst, []float64{float64(m.world.Slot()), float64(m.done), float64(m.missed), served, m.possible})
}

// Cost is the missed part of the requests that ended. One more of each is counted, so that it is above 0.
func (m *Model) Cost() float64 { return float64(1+m.missed) / float64(1+m.ended()) }
