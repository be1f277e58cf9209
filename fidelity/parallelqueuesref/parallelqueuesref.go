// Package parallelqueuesref compares rules on parallel finite queues with late acknowledgements. A
// .json file is a list of cases: the queues, every time and draw, and for each rule what it picked
// and what came of it. Queues, lengths, acknowledgements and rewards are to be equal, means to 12
// digits.
package parallelqueuesref

import (
	"errors"
	"maps"
	"math"
	"slices"

	"tarry/env/classic/parallelqueues/queues"
	"tarry/fidelity/reference"
)

// within is how far a mean may be off.
const within = 1e-12

// penalty of a full queue in the shared cases.
const penalty = 100

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Cases("parallel-queues", []reference.CaseKind{{Name: "queues",
		Fields: "queues buffer rates ack_probability inter_arrival_s service_s draws rules", Compare: compare}})
}

// setting is a case: what is drawn and what the rules did.
type setting struct {
	Queues       int
	Buffer       int
	Rates        []float64
	Acknowledged float64     `json:"ack_probability"`
	Between      []float64   `json:"inter_arrival_s"`
	Service      [][]float64 `json:"service_s"`
	Draws        []float64
	Rules        map[string]result
}

type result struct {
	Actions, Dropped []int
	Lengths          [][]int `json:"queue_lengths"`
	Acknowledged     [][]int
	Reward           []float64
	MeanResponse     float64 `json:"mean_response_s"`
	DropPart         float64 `json:"drop_part"`
	SumReward        float64 `json:"sum_reward"`
}

func compare(c *reference.Case) {
	x, ok := reference.Decode[setting](c)
	if !ok {
		return
	}
	if len(x.Rates) != x.Queues || len(x.Service) != x.Queues {
		c.Errorf("%d rates and %d service times of %d queues", len(x.Rates), len(x.Service), x.Queues)
		return
	}
	used, counted := reference.Decode[map[string]any](c)
	for _, name := range slices.Sorted(maps.Keys(x.Rules)) {
		draws, err := x.play(c, name)
		if err != nil {
			c.Errorf("%s: %v", name, err)
		} else if want, ok := used["draws_used_"+name]; counted && ok && want != float64(draws) {
			c.Errorf("%s: %d draws are used, there %v", name, draws, want)
		}
	}
}

// play lets a rule pick for every job. It gives how many draws were used.
func (x *setting) play(c *reference.Case, name string) (draws int, err error) {
	i := slices.IndexFunc(queues.Rules(), func(r queues.Rule) bool { return r.Name == name })
	if i < 0 {
		return 0, errors.New("no such rule")
	}
	s, err := queues.New(queues.Config{Buffer: x.Buffer, Penalty: penalty, RatesPerS: x.Rates,
		Acknowledged: x.Acknowledged})
	if err != nil {
		return 0, err
	}
	want, n, short, sum := x.Rules[name], len(x.Between), errors.New("the case has too few draws"), 0.0
	if n != len(want.Actions) || n != len(want.Dropped) || n != len(want.Lengths) || n != len(want.Acknowledged) ||
		n != len(want.Reward) {
		return 0, errors.New("the lists are not all as long as the jobs are many")
	}
	served := make([]int, x.Queues)
	s.Begin(queues.Draws{
		ServiceUS: func(queue int) int64 {
			if served[queue]++; served[queue] > len(x.Service[queue]) {
				err = short
				return 0
			}
			return micros(x.Service[queue][served[queue]-1])
		},
		Uniform: func(int) float64 {
			if draws++; draws > len(x.Draws) {
				err = short
				return 0
			}
			return x.Draws[draws-1]
		},
	})
	for job, between := range x.Between {
		pick := queues.Rules()[i].Pick(s, func() float64 { err = errors.New("a rule of chance"); return 0 })
		reward, lost := s.Hand(pick, micros(between))
		if sum += reward; err != nil {
			return draws, err
		}
		if pick != want.Actions[job] || lost != (want.Dropped[job] == 1) || reward != want.Reward[job] ||
			!slices.Equal(s.Lengths, want.Lengths[job]) || !slices.Equal(s.Acks, want.Acknowledged[job]) {
			c.Errorf("%s: job %d: queue %d, lost %v, lengths %v, acknowledged %v, reward %v; there %d, %d, %v, %v, %v",
				name, job, pick, lost, s.Lengths, s.Acks, reward, want.Actions[job], want.Dropped[job], want.Lengths[job],
				want.Acknowledged[job], want.Reward[job])
			return draws, nil
		}
	}
	c.Near(name+": mean_response_s", s.MeanResponseS(), want.MeanResponse, within)
	c.Near(name+": drop_part", float64(s.Lost)/float64(n), want.DropPart, within)
	c.Near(name+": sum_reward", sum, want.SumReward, within)
	return draws, nil
}

func micros(seconds float64) int64 { return int64(math.Round(seconds * 1e6)) }
