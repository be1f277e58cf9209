// Package queues are parallel finite queues whose departures are acknowledged late (Tahir, Alt,
// Rizk and Koeppl, arXiv 2109.08548), after the arithmetic of the authors' program. It draws
// nothing itself.
//
// A job comes, and a rule picks its queue from what was true after the job before it:
//  1. The time to its arrival passes; jobs whose departure has come leave their queues.
//  2. A queue with less than Buffer jobs takes the job: it departs its service time after the
//     queue's last departure, or after now. Otherwise the job is lost. Times are whole
//     microseconds.
//  3. Queue by queue, each acknowledgement on the way and of a job that has just left arrives with
//     a probability, one draw each; at most Buffer of the others stay on the way, and at most
//     Buffer have arrived.
//  4. The reward is minus the number of jobs in all queues, less Penalty if the picked queue is
//     full now.
package queues

import (
	"errors"
	"fmt"
	"math"
)

// Config are the queues.
type Config struct {
	// Buffer is how many jobs a queue holds, Penalty what a full one costs.
	Buffer  int
	Penalty float64
	// RatesPerS is the mean rate of each queue.
	RatesPerS []float64
	// Acknowledged is the probability with which an acknowledgement arrives with a job.
	Acknowledged float64
}

// Validate reports the first fault.
func (c *Config) Validate() error {
	switch {
	case c.Buffer < 1:
		return fmt.Errorf("a buffer of %d, expected at least 1", c.Buffer)
	case len(c.RatesPerS) == 0:
		return errors.New("no queue, expected at least one rate")
	case !(c.Acknowledged >= 0 && c.Acknowledged <= 1):
		return fmt.Errorf("acknowledged with probability %v, expected 0 to 1", c.Acknowledged)
	}
	for _, r := range c.RatesPerS {
		if !(r > 0) || math.IsInf(r, 0) {
			return fmt.Errorf("a rate of %v, expected a number above 0", r)
		}
	}
	return nil
}

// Draws are what is random, each asked for when it is used.
type Draws struct {
	// ServiceUS is the service time in microseconds of a queue's next job.
	ServiceUS func(queue int) int64
	// Uniform is a number in [0, 1) for an acknowledgement of a queue.
	Uniform func(queue int) float64
}

// System is a run. What it shows is to be read only.
type System struct {
	Config
	// NowUS is the time in microseconds, Job the number of the next job.
	NowUS int64
	Job   int
	// Lengths are the jobs in each queue after the last job, Acks the acknowledgements that arrived
	// then, OnTheWay the others.
	Lengths, Acks, OnTheWay []int
	// Open are the jobs that a queue took and has not acknowledged, as a dispatcher counts them;
	// Since is how many jobs ago a queue was picked last, the number of jobs where it was not.
	Open, Since []int
	// Lost are the jobs that found a full queue, ResponseUS is the sum of the others' times in the
	// system.
	Lost       int
	ResponseUS int64
	draws      Draws
	left       [][]int64 // departures of the jobs in a queue, a ring of Buffer
	first      []int     // in the ring
	last       []int64   // a queue's last departure
}

// New makes the queues, to be begun.
func New(c Config) (*System, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	n := len(c.RatesPerS)
	s := &System{Config: c, Lengths: make([]int, n), Acks: make([]int, n), OnTheWay: make([]int, n), Open: make([]int, n),
		Since: make([]int, n), first: make([]int, n), left: make([][]int64, n), last: make([]int64, n)}
	for i := range s.left {
		s.left[i] = make([]int64, c.Buffer)
	}
	return s, nil
}

// Begin empties the queues.
func (s *System) Begin(d Draws) {
	s.NowUS, s.Job, s.Lost, s.ResponseUS, s.draws = 0, 0, 0, 0, d
	for i := range s.left {
		s.Lengths[i], s.Acks[i], s.OnTheWay[i], s.Open[i], s.Since[i], s.first[i], s.last[i] = 0, 0, 0, 0, 0, 0, 0
	}
}

// Hand gives the next job, which comes after a time, to a queue. It gives the reward and whether
// the job was lost.
func (s *System) Hand(queue int, afterUS int64) (reward float64, lost bool) {
	s.NowUS += afterUS
	s.Job++
	for i := range s.Lengths { // their acknowledgements are drawn below
		for s.Lengths[i] > 0 && s.left[i][s.first[i]] <= s.NowUS {
			s.first[i] = (s.first[i] + 1) % s.Buffer
			s.Lengths[i]--
			s.OnTheWay[i]++
		}
	}
	if lost = s.Lengths[queue] >= s.Buffer; lost {
		s.Lost++
	} else {
		s.last[queue] = max(s.NowUS, s.last[queue]) + s.draws.ServiceUS(queue)
		s.left[queue][(s.first[queue]+s.Lengths[queue])%s.Buffer] = s.last[queue]
		s.Lengths[queue]++
		s.Open[queue]++
		s.ResponseUS += s.last[queue] - s.NowUS
	}
	jobs := 0
	for i := range s.OnTheWay {
		arrived := 0
		for range s.OnTheWay[i] {
			if s.draws.Uniform(i) < s.Acknowledged {
				arrived++
			}
		}
		s.OnTheWay[i] = min(s.OnTheWay[i]-arrived, s.Buffer)
		s.Acks[i] = min(arrived, s.Buffer)
		s.Open[i] -= s.Acks[i]
		s.Since[i]++
		jobs += s.Lengths[i]
	}
	s.Since[queue] = 0
	reward = -float64(jobs)
	if s.Lengths[queue] >= s.Buffer {
		reward -= s.Penalty
	}
	return reward, lost
}

// MeanResponseS is the mean time in the system of the jobs that were taken; 0 without any.
func (s *System) MeanResponseS() float64 {
	if s.Job == s.Lost {
		return 0
	}
	return float64(s.ResponseUS) / 1e6 / float64(s.Job-s.Lost)
}
