package gandiva

import (
	"testing"

	"tarry/sim"
	"tarry/sim/outage"
	"tarry/sim/simtest"
)

// mechanism is a case of one mechanism, worked out by hand: what every job's allocations are.
type mechanism struct {
	name     string
	settings string
	shape    [3]int
	outages  outage.Schedule
	costs    sim.Costs
	jobs     []sim.Job
	want     []string
}

func try(t *testing.T, cases []mechanism) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			simtest.ByHand{Shape: c.shape, Outages: c.outages, Costs: c.costs, Jobs: c.jobs}.Expect(t,
				policy(t, New, c.settings)(), c.want...)
		})
	}
}

// A job's home is the first of: a server of its affinity with room, the least loaded first; an
// unassigned one; any with room; one of its affinity although it is full; the least loaded. No
// turns and no moves, so a home is kept.
func TestHomes(t *testing.T) {
	const still = "quantum=inf,migrate=false"
	try(t, []mechanism{
		// Five jobs of 1 GPU fill the first server and begin the second. At 6 s the first has one
		// free and the second three.
		{"the least loaded of the affinity", still, [3]int{1, 3, 4}, nil, sim.Costs{},
			[]sim.Job{job(0, 1, 20), job(0, 1, 20), job(0, 1, 20), job(0, 1, 5), job(0, 1, 20), job(6, 1, 20)},
			[]string{"3 on [3] 0s-5s finish", "0 on [0] 0s-20s finish", "1 on [1] 0s-20s finish",
				"2 on [2] 0s-20s finish", "4 on [4] 0s-20s finish", "5 on [5] 6s-26s finish"}},
		// The second job of 2 joins the first, although the third server is unassigned and less
		// loaded.
		{"its affinity before an unassigned one", still, [3]int{1, 3, 4}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 9), job(0, 1, 9), job(1, 2, 9)},
			[]string{"0 on [0 1] 0s-9s finish", "1 on [4] 0s-9s finish", "2 on [2 3] 1s-10s finish"}},
		// Neither server is for 3 GPUs; the first has most room.
		{"any with room", still, [3]int{1, 2, 4}, nil, sim.Costs{}, []sim.Job{job(0, 1, 9), job(0, 2, 9), job(1, 3, 9)},
			[]string{"0 on [0] 0s-9s finish", "1 on [4 5] 0s-9s finish", "2 on [1 2 3] 1s-10s finish"}},
		// No room for 2: home is the full server of the affinity, though the other one is empty
		// from 5 s on.
		{"its affinity although it is full", still, [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 10), job(0, 1, 5), job(0, 1, 5), job(1, 2, 3)},
			[]string{"1 on [2] 0s-5s finish", "2 on [3] 0s-5s finish", "0 on [0 1] 0s-10s finish",
				"3 on [0 1] 10s-13s finish"}},
		// No server has its affinity nor room: the lower of two equals, although the other one is
		// empty sooner.
		{"the least loaded of all", still, [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 10), job(0, 2, 5), job(1, 1, 3)},
			[]string{"1 on [2 3] 0s-5s finish", "0 on [0 1] 0s-10s finish", "2 on [0] 10s-13s finish"}},
		// Job 2 makes the first server the more loaded one; so job 3 waits for the second, which is
		// free at 5 s.
		{"the least loaded of all, with those that wait", still, [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 10), job(0, 2, 5), job(1, 1, 3), job(2, 2, 4)},
			[]string{"1 on [2 3] 0s-5s finish", "3 on [2 3] 5s-9s finish", "0 on [0 1] 0s-10s finish",
				"2 on [0] 10s-13s finish"}},
		// At 3 s the first server is empty and unassigned again, so 3 GPUs go there rather than
		// beside job 1.
		{"an empty server has no affinity", still, [3]int{1, 2, 4}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 2), job(0, 1, 9), job(3, 3, 9), job(4, 2, 5)},
			[]string{"0 on [0 1] 0s-2s finish", "1 on [4] 0s-9s finish", "3 on [5 6] 4s-9s finish",
				"2 on [0 1 2] 3s-12s finish"}},
	})
}

// Turns come at multiples of the quantum and go to gangs; a job gives way when it has run half a
// quantum.
func TestTurns(t *testing.T) {
	try(t, []mechanism{
		// Job 1 starts at 4 s and has run 6 of 10 s at the first turn: it gives way.
		{"after more than half a quantum", "quantum=10", [3]int{1, 1, 1}, nil, sim.Costs{},
			[]sim.Job{job(0, 1, 4), job(1, 1, 10), job(2, 1, 10)},
			[]string{"0 on [0] 0s-4s finish", "1 on [0] 4s-10s preempt", "2 on [0] 10s-20s finish",
				"1 on [0] 20s-24s finish"}},
		// Job 1 starts at 7 s, has run 3 s at the first turn and stays to the second.
		{"not after less", "quantum=10", [3]int{1, 1, 1}, nil, sim.Costs{},
			[]sim.Job{job(0, 1, 7), job(1, 1, 20), job(2, 1, 10)},
			[]string{"0 on [0] 0s-7s finish", "1 on [0] 7s-20s preempt", "2 on [0] 20s-30s finish",
				"1 on [0] 30s-37s finish"}},
		// What a job ran before its grant does not count: job 0, restarted at 16 s, has run 4 s by
		// 20 s.
		{"since its grant", "quantum=10", [3]int{1, 1, 1}, nil, sim.Costs{},
			[]sim.Job{job(0, 1, 30), job(2, 1, 6), job(17, 1, 10)},
			[]string{"0 on [0] 0s-10s preempt", "1 on [0] 10s-16s finish", "0 on [0] 16s-30s preempt",
				"2 on [0] 30s-40s finish", "0 on [0] 40s-46s finish"}},
		// Three GPUs at once displace both gangs of two, the one granted last first; so it is first
		// to come back.
		{"gangs as a whole", "quantum=10", [3]int{1, 1, 4}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 15), job(0, 2, 15), job(1, 3, 10)},
			[]string{"1 on [2 3] 0s-10s preempt", "0 on [0 1] 0s-10s preempt", "2 on [0 1 2] 10s-20s finish",
				"1 on [0 1] 20s-25s finish", "0 on [2 3] 20s-25s finish"}},
		// One GPU is asked for, and of the running the one with the earliest grant gives way.
		{"no more than is asked for", "quantum=10", [3]int{1, 1, 3}, nil, sim.Costs{},
			[]sim.Job{job(0, 1, 12), job(1, 1, 20), job(2, 1, 20), job(3, 1, 5)},
			[]string{"0 on [0] 0s-10s preempt", "3 on [0] 10s-15s finish", "0 on [0] 15s-17s finish",
				"1 on [1] 1s-21s finish", "2 on [2] 2s-22s finish"}},
		// At 10 s job 2 has run 3 s, so only two GPUs change hands: too few for job 3, and job 0
		// keeps them. At 20 s all four do.
		{"a gang that does not fit displaces nobody", "quantum=10", [3]int{1, 1, 4}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 30), job(0, 2, 7), job(1, 2, 30), job(2, 3, 5)},
			[]string{"1 on [2 3] 0s-7s finish", "2 on [2 3] 7s-20s preempt", "0 on [0 1] 0s-20s preempt",
				"3 on [0 1 2] 20s-25s finish", "0 on [2 3] 25s-35s finish", "2 on [0 1] 25s-42s finish"}},
		// The checkpoint of 2 s holds the GPU; the restart of 1 s does not count as running, so 7 s
		// of 10 are progress.
		{"with checkpoints and restarts", "quantum=10", [3]int{1, 1, 1}, nil,
			sim.Costs{Checkpoint: sim.Cost{FixedS: 2}, Restore: sim.Cost{FixedS: 1}},
			[]sim.Job{job(0, 1, 17), job(0, 1, 8)},
			[]string{"0 on [0] 0s-12s preempt", "1 on [0] 12s-20s finish", "0 on [0] 20s-28s finish"}},
		// A restart of 6 s leaves 2 s of running by 20 s, less than half a quantum: the next turn
		// is at 30 s.
		{"a long restart delays the turn", "quantum=10", [3]int{1, 1, 1}, nil, sim.Costs{Start: sim.Cost{FixedS: 8}},
			[]sim.Job{job(0, 1, 30), job(1, 1, 10)},
			[]string{"0 on [0] 0s-20s preempt", "1 on [0] 20s-38s finish", "0 on [0] 38s-56s finish"}},
	})
}

// Jobs move when another ends: suspended ones to what is free, spread ones closer, few ones
// together.
func TestMoves(t *testing.T) {
	try(t, []mechanism{
		// Job 3 is at home on the second server and goes first when that is free, then job 2 comes
		// from the first.
		{"own jobs first", "quantum=inf", [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 50), job(0, 2, 5), job(1, 1, 9), job(1, 1, 9)},
			[]string{"1 on [2 3] 0s-5s finish", "3 on [2] 5s-14s finish", "2 on [3] 5s-14s finish",
				"0 on [0 1] 0s-50s finish"}},
		// Servers 0 and 2 are for 1 GPU and full; jobs 5 and 7 wait on server 0, job 6 on server 2.
		// Server 1 takes both of the more crowded one.
		{"from the most crowded", "quantum=inf", [3]int{1, 3, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 1, 50), job(0, 2, 5), job(0, 1, 50), job(0, 1, 50), job(0, 1, 50), job(1, 1, 60),
				job(2, 1, 60), job(3, 1, 60)},
			[]string{"1 on [2 3] 0s-5s finish", "0 on [0] 0s-50s finish", "2 on [1] 0s-50s finish",
				"3 on [4] 0s-50s finish", "4 on [5] 0s-50s finish",
				"5 on [2] 5s-65s finish", "7 on [3] 5s-65s finish", "6 on [4] 50s-110s finish"}},
		// Two of four free is less than three quarters: job 0 stays.
		{"a server half empty stays as it is", "", [3]int{1, 2, 4}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 20), job(0, 2, 5), job(0, 1, 20)},
			[]string{"1 on [2 3] 0s-5s finish", "0 on [0 1] 0s-20s finish", "2 on [4] 0s-20s finish"}},
		// Both servers have 6 of 8 free: nothing is gained.
		{"not to a server as empty", "", [3]int{1, 2, 8}, nil, sim.Costs{},
			[]sim.Job{job(0, 1, 20), job(0, 1, 20), job(0, 2, 22), job(0, 2, 5)},
			[]string{"3 on [10 11] 0s-5s finish", "0 on [0] 0s-20s finish", "1 on [1] 0s-20s finish",
				"2 on [8 9] 0s-22s finish"}},
		// The second server has 6 of 8 free at 5 s, the first 3: both of its jobs move, each paused
		// for 1 s.
		{"all of few, one after the other", "", [3]int{1, 2, 8}, nil, sim.Costs{Migrate: sim.Cost{FixedS: 1}},
			[]sim.Job{job(0, 5, 30), job(0, 1, 20), job(0, 1, 20), job(0, 1, 5), job(0, 1, 5)},
			[]string{"3 on [10] 0s-5s finish", "4 on [11] 0s-5s finish", "2 on [9] 0s-5s migrate",
				"1 on [8] 0s-5s migrate", "2 on [5] 5s-21s finish", "1 on [6] 5s-21s finish",
				"0 on [0 1 2 3 4] 0s-30s finish"}},
	})
}

// Jobs wider than a server take what is free, wait for their turn, and give way to the jobs that
// wait for their servers.
func TestWideJobs(t *testing.T) {
	try(t, []mechanism{
		{"two by turns", "quantum=10", [3]int{1, 2, 2}, nil, sim.Costs{}, []sim.Job{job(1, 4, 15), job(2, 4, 10)},
			[]string{"0 on [0 1 2 3] 1s-10s preempt", "1 on [0 1 2 3] 10s-20s finish",
				"0 on [0 1 2 3] 20s-26s finish"}},
		{"alone without any", "quantum=10", [3]int{1, 2, 2}, nil, sim.Costs{}, []sim.Job{job(1, 4, 45)},
			[]string{"0 on [0 1 2 3] 1s-46s finish"}},
		// Three GPUs of two servers: the wide one waits while any narrow job holds what it needs;
		// with no quantum there is no turn.
		{"first come without turns", "quantum=inf", [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 9), job(0, 1, 5), job(1, 3, 4), job(2, 1, 6)},
			[]string{"1 on [2] 0s-5s finish", "3 on [3] 2s-8s finish", "0 on [0 1] 0s-9s finish",
				"2 on [0 1 2] 9s-13s finish"}},
		// The first server has two gangs of two, the others one each: job 4 takes those at 20 s,
		// and the first one turns over as before.
		{"on the least loaded servers", "quantum=10", [3]int{1, 3, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 20), job(0, 2, 25), job(0, 2, 25), job(0, 2, 20), job(1, 4, 10)},
			[]string{"0 on [0 1] 0s-10s preempt", "1 on [2 3] 0s-20s preempt", "2 on [4 5] 0s-20s preempt",
				"3 on [0 1] 10s-20s preempt", "4 on [2 3 4 5] 20s-30s finish",
				"0 on [0 1] 20s-30s finish", "1 on [2 3] 30s-35s finish", "2 on [4 5] 30s-35s finish",
				"3 on [0 1] 30s-40s finish"}},
		// Job 2 starts at 7 s and has run 3 s at the first turn: it gives way to job 3 at 20 s, and
		// returns when that has ended.
		{"giving way after half a quantum", "quantum=10", [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 7), job(0, 2, 7), job(1, 4, 20), job(8, 1, 2)},
			[]string{"0 on [0 1] 0s-7s finish", "1 on [2 3] 0s-7s finish", "2 on [0 1 2 3] 7s-20s preempt",
				"3 on [0] 20s-22s finish", "2 on [0 1 2 3] 22s-29s finish"}},
		// When job 4 ends, no rack has four GPUs for job 5, which lies on two: it stays.
		{"no closer place", "quantum=inf", [3]int{2, 2, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 50), job(0, 2, 8), job(0, 2, 8), job(0, 1, 50), job(0, 1, 12), job(1, 4, 20)},
			[]string{"1 on [2 3] 0s-8s finish", "2 on [4 5] 0s-8s finish", "4 on [7] 0s-12s finish",
				"5 on [2 3 4 5] 8s-28s finish", "0 on [0 1] 0s-50s finish", "3 on [6] 0s-50s finish"}},
		// It has waited a quantum at 20 s. Until 30 s the servers are its own, then the narrow jobs
		// have them again.
		{"a turn against narrow jobs", "quantum=10", [3]int{1, 2, 2}, nil, sim.Costs{},
			[]sim.Job{job(0, 2, 40), job(0, 2, 40), job(5, 3, 10)},
			[]string{"0 on [0 1] 0s-20s preempt", "1 on [2 3] 0s-20s preempt", "2 on [0 1 2] 20s-30s finish",
				"0 on [0 1] 30s-50s finish", "1 on [2 3] 30s-50s finish"}},
	})
}

// Servers with GPUs that are down: their jobs find another home, or wait for the repair.
func TestServersThatFail(t *testing.T) {
	down := func(at float64, m, g int32, up float64) outage.Schedule {
		s := outage.Schedule{{At: sim.Seconds(at), Machine: m, GPU: g}}
		if up > 0 {
			s = append(s, sim.Outage{At: sim.Seconds(up), Machine: m, GPU: g, Up: true})
		}
		return s
	}
	try(t, []mechanism{
		// Job 0 loses 5 s of work, is homed on the other server and shares it by turns.
		{"another home", "quantum=10", [3]int{1, 2, 1}, down(5, 0, -1, 0), sim.Costs{},
			[]sim.Job{job(0, 1, 12), job(0, 1, 15)},
			[]string{"0 on [0] 0s-5s fault", "1 on [1] 0s-10s preempt", "0 on [1] 10s-20s preempt",
				"1 on [1] 20s-25s finish", "0 on [1] 25s-27s finish"}},
		{"no home until the repair", "quantum=10", [3]int{1, 1, 1}, down(5, 0, -1, 8), sim.Costs{},
			[]sim.Job{job(0, 1, 12)},
			[]string{"0 on [0] 0s-5s fault", "0 on [0] 8s-20s finish"}},
		{"too few GPUs until the repair", "quantum=10", [3]int{1, 1, 2}, down(5, 0, 1, 8), sim.Costs{},
			[]sim.Job{job(0, 2, 12), job(6, 1, 1)},
			[]string{"0 on [0 1] 0s-5s fault", "1 on [0] 6s-7s finish", "0 on [0 1] 8s-20s finish"}},
		// Job 2 waits on the server that fails, and goes to the other one behind job 0.
		{"those that wait go too", "quantum=inf", [3]int{1, 2, 1}, down(5, 0, -1, 0), sim.Costs{},
			[]sim.Job{job(0, 1, 9), job(0, 1, 9), job(1, 1, 3)},
			[]string{"0 on [0] 0s-5s fault", "1 on [1] 0s-9s finish", "0 on [1] 9s-18s finish",
				"2 on [1] 18s-21s finish"}},
	})
}

// Which servers are left nearly empty: the GPUs that are not down count, and a wide job's servers
// keep their jobs.
func TestThresholdOfMoves(t *testing.T) {
	try(t, []mechanism{
		// One of four GPUs is down: two of three are free at 5 s, more than 0.6 of them, though not
		// 0.6 of four.
		{"of the GPUs that are up", "quantum=inf,defrag=0.6", [3]int{1, 2, 4},
			outage.Schedule{{At: sim.Seconds(1), Machine: 0, GPU: 3}}, sim.Costs{},
			[]sim.Job{job(0, 1, 50), job(0, 1, 5), job(0, 3, 50)},
			[]string{"1 on [1] 0s-5s finish", "0 on [0] 0s-5s migrate", "2 on [4 5 6] 0s-50s finish",
				"0 on [7] 5s-50s finish"}},
		// Job 1 has a GPU of the third server, which has six of eight free at 8 s: job 3 stays
		// beside it, and moves when it has ended.
		{"not beside a wide job", "quantum=inf", [3]int{1, 4, 8}, nil, sim.Costs{},
			[]sim.Job{job(0, 8, 50), job(1, 9, 50), job(2, 6, 50), job(3, 1, 50), job(3, 1, 5)},
			[]string{"4 on [18] 3s-8s finish", "0 on [0 1 2 3 4 5 6 7] 0s-50s finish",
				"1 on [8 9 10 11 12 13 14 15 16] 1s-51s finish", "3 on [17] 3s-51s migrate",
				"2 on [24 25 26 27 28 29] 2s-52s finish", "3 on [30] 51s-53s finish"}},
	})
}
