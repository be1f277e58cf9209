package sim

import (
	"testing"

	"tarry/sim/know"
)

// Every question of a policy about placements allocates nothing: a Placement stays on the stack.
func TestPlacementsAllocateNothing(t *testing.T) {
	p := play{cfg: Config{Speed: crowded{}}, know: know.Speed | know.Progress, plan: map[Time][]Decision{
		0: {{Kind: Start, GPUs: on(0, 1), Knobs: Knobs{ShareMilli: 500}},
			{Kind: Start, Job: 2, GPUs: on(0), Knobs: Knobs{ShareMilli: 500}}}, Second: {}}}
	looked := false
	p.look = func(v *View) {
		if v.Now() != Second {
			return
		}
		looked = true
		gpus, held, half := on(0, 1), v.Run(0).Held(), Knobs{ShareMilli: 500}
		ask := func() {
			v.Predict(1, Placement{GPUs: gpus, Knobs: half})
			v.Predict(0, Placement{GPUs: gpus, Alone: true})
			v.Predict(0, Placement{GPUs: gpus, Idle: true})
			v.Predict(1, Placement{GPUs: gpus, Knobs: half, Fresh: true, Alone: true,
				Mate: Peer{ID: 0, GPUs: gpus, Knobs: half}})
			v.Predict(0, Placement{GPUs: held, Mate: Peer{ID: 1, GPUs: gpus}})
			v.TelemetryAt(0, Placement{GPUs: gpus, Knobs: Knobs{Batch: 2}, Alone: true})
		}
		if n := testing.AllocsPerRun(100, ask); n != 0 {
			t.Errorf("%v allocations, want none", n)
		}
	}
	p.mustRun(t, 2, Job{GPUs: 2, Work: 4 * Second}, Job{GPUs: 2, Work: Second, MinGPUs: 1},
		Job{GPUs: 1, Work: Second, Submit: 0})
	if !looked {
		t.Error("no instant at 1 s")
	}
}

// Fresh asks with the job's own knobs, whatever it has now; else its present ones stay.
func TestFreshPlacement(t *testing.T) {
	s := &witness{SpeedModel: crowded{}}
	p := play{cfg: Config{Speed: s}, know: know.Speed, plan: map[Time][]Decision{
		0: {{Kind: Start, GPUs: on(0), Knobs: Knobs{ShareMilli: 500, Batch: 3}}}, Second: {}}}
	var got []string
	p.look = func(v *View) {
		if v.Now() == Second {
			n := len(s.asked)
			v.Predict(0, Placement{GPUs: on(1), Knobs: Knobs{FreqFrac: 0.5}})
			v.Predict(0, Placement{GPUs: on(1), Knobs: Knobs{FreqFrac: 0.5}, Fresh: true})
			got = append(got, s.asked[n:]...)
		}
	}
	p.mustRun(t, 2, Job{GPUs: 1, Work: 4 * Second})
	same(t, "asked", got, "0 on [1] share 500 clock 0.5 batch 3 beside []",
		"0 on [1] share 1000 clock 0.5 batch 1 beside []")
}
