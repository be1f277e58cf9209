package lyra

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/service"
	"tarry/sim/simtest"
)

// elastic is a job of some seconds of one GPU, which asks for a number and may have up to most.
func elastic(at, work sim.Time, asks, most int32) sim.Job {
	j := sim.Job{Submit: at * sim.Second, Work: work * sim.Second, GPUs: asks}
	if most > 0 {
		j.MinGPUs, j.MaxGPUs = 1, most
	}
	return j
}

// Job 0 has all four GPUs until job 1 needs two, at 1 s, and again when that has ended.
func TestExtraWorkersGiveWay(t *testing.T) {
	c := func() simtest.ByHand {
		return simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: []sim.Job{elastic(0, 12, 1, 4), elastic(1, 4, 2, 0)}}
	}
	c().Expect(t, policy(t, "slot_s=0,left=work")(), "0 on [0 1 2 3] 0s-1s resize", "1 on [1 2] 1s-3s finish",
		"0 on [0 3] 1s-3s resize", "0 on [0 1 2 3] 3s-4s finish")
	c().Expect(t, policy(t, "slot_s=0,left=work,elastic=false")(), "1 on [1 2] 1s-3s finish", "0 on [0] 0s-12s finish")
	// with a slot of 2 s job 1 waits until 2 s
	c().Expect(t, policy(t, "slot_s=2,left=work")(), "0 on [0 1 2 3] 0s-2s resize", "0 on [0 3] 2s-4s finish",
		"1 on [1 2] 2s-4s finish")
}

// Of jobs that wait the shortest is first; the second does not fit then, the third does. The base demand is
// what a job asks for, or the least; then the fourth GPU saves job 3 10 s, and job 1 9 s.
func TestShortestFirst(t *testing.T) {
	c := func() simtest.ByHand {
		return simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: []sim.Job{elastic(0, 4, 4, 0), elastic(0, 18, 3, 3),
			elastic(0, 4, 2, 2), elastic(0, 20, 2, 2)}}
	}
	c().Expect(t, policy(t, "slot_s=0,left=work")(), "0 on [0 1 2 3] 0s-1s finish", "2 on [0 1] 1s-3s finish",
		"3 on [2 3] 1s-11s finish", "1 on [0 1 2] 11s-17s finish")
	c().Expect(t, policy(t, "slot_s=0,left=work,base=least")(), "0 on [0 1 2 3] 0s-1s finish",
		"2 on [0] 1s-5s finish", "1 on [1] 1s-5s resize", "3 on [2 3] 1s-11s finish", "1 on [0 1] 5s-11s resize",
		"1 on [0 1 2] 11s-11.666667s finish")
}

// lender is an operator that lends the machines of the services, or not, by the second.
type lender struct{ lent map[sim.Time]bool }

func (lender) Knows() know.Set     { return know.Nothing }
func (l lender) Clone() sim.Policy { return l }

func (l lender) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	s := v.Services()
	if on, ok := l.lent[v.Now()/sim.Second]; ok {
		for m := range v.Topology().Machines() {
			switch lo, hi := v.Topology().MachineGPUs(m); {
			case !s.Own(m) || on == s.Lent(m):
			case on:
				out = append(out, sim.Decision{Kind: sim.Uncordon, Machine: int32(m)})
			default:
				for _, j := range v.Running() {
					keeps := slices.DeleteFunc(slices.Clone(v.Run(j).Held()), func(g cluster.GPU) bool { return lo <= g && g < hi })
					if least, _ := v.Job(j).Range(); len(keeps) == len(v.Run(j).Held()) {
						continue
					} else if len(keeps) >= least {
						out = append(out, sim.Decision{Kind: sim.Resize, Job: j, GPUs: keeps})
					} else {
						out = append(out, sim.Decision{Kind: sim.Preempt, Job: j})
					}
				}
				out = append(out, sim.Decision{Kind: sim.Cordon, Machine: int32(m)})
			}
		}
	}
	return append(out, sim.Decision{Kind: sim.WakeAt, At: (v.Now()/sim.Second + 1) * sim.Second})
}

// lending runs jobs on two machines of two GPUs, of which the first belongs to a service without load, and
// gives what happened.
func lending(t *testing.T, params string, lent map[sim.Time]bool, jobs ...sim.Job) []string {
	t.Helper()
	for i := range jobs {
		jobs[i].ID = fmt.Sprint(i)
	}
	w, err := sim.NewWorkload("lending", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, 2, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	var tape simtest.Tape
	idle := &service.Model{Own: []bool{true, false}, Services: []service.Spec{{Name: "idle", Replicas: 1, RatePerS: 1}}}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
		Check: true, Services: idle, Operator: lender{lent}}, policy(t, params)(), &tape); err != nil {
		t.Fatal(err)
	}
	return tape.Lines
}

// Base demands are on the machine of training, extra workers on the machine that is lent, so that its
// return stops no job; the other way round it stops one.
func TestExtraWorkersAreOnLentMachines(t *testing.T) {
	jobs := func() []sim.Job { return []sim.Job{elastic(0, 8, 1, 2), elastic(0, 8, 1, 2)} }
	lent := map[sim.Time]bool{0: true, 2: false, 5: true}
	for params, want := range map[string][]string{
		"slot_s=0,left=work": {"0 on [0 2] 0s-2s resize", "1 on [1 3] 0s-2s resize", "0 on [2] 2s-5s resize",
			"1 on [3] 2s-5s resize", "0 on [0 2] 5s-5.5s finish", "1 on [1 3] 5s-5.5s finish"},
		// job 0, whose worker prefers the other machine, is there as a whole
		"slot_s=0,left=work,base_on=lent,extra_on=own": {"0 on [0 2] 0s-2s resize", "1 on [1 3] 0s-2s resize",
			"0 on [2] 2s-5s resize", "1 on [3] 2s-5s resize", "0 on [0 1] 5s-5.5s finish", "1 on [2 3] 5s-5.5s finish"},
		// without extra workers the machine of training is full first; nothing runs on the other
		"slot_s=0,left=work,elastic=false": {"0 on [2] 0s-8s finish", "1 on [3] 0s-8s finish"},
		"slot_s=0,left=work,elastic=false,base_on=lent": {"0 on [0] 0s-2s preempt", "1 on [1] 0s-2s preempt",
			"0 on [2] 2s-8s finish", "1 on [3] 2s-8s finish"},
	} {
		if got := lending(t, params, lent, jobs()...); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%q\nexpected\n%q", params, got, want)
		}
	}
	// nothing is lent: the cluster is half as large
	if got, want := lending(t, "slot_s=0,left=work", map[sim.Time]bool{0: false}, jobs()...), []string{
		"0 on [2] 0s-8s finish", "1 on [3] 0s-8s finish"}; !slices.Equal(got, want) {
		t.Errorf("not lent: got\n%q\nexpected\n%q", got, want)
	}
}
