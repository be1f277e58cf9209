package abi

import (
	"encoding/json"
	"strings"
	"testing"
	"unsafe"

	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/sim/rng"
)

// opened is a group with memory of its own.
func opened(t *testing.T, r Request) *Group {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = ParseRequest(text); err != nil {
		t.Fatal(err)
	}
	g, err := Open(envs.All(), simulation.All(), r)
	if err != nil {
		t.Fatal(err)
	}
	if s := g.Bind(aligned(g.bytes)); s != OK {
		t.Fatal(g.Fault())
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// aligned is memory that starts at a multiple of 8.
func aligned(bytes int) []byte {
	numbers := make([]float64, bytes/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), bytes)
}

// start resets all with seeds from first on.
func start(t *testing.T, g *Group, first uint64) {
	t.Helper()
	for i := range g.envs {
		g.at.chosen[i], g.at.seeded[i], g.at.seed[i] = 1, 1, first+uint64(i)
	}
	if s := g.Reset(""); s != OK {
		t.Fatal(g.Fault())
	}
}

// same compares what environment i of a group shows with a step.
func same(t *testing.T, g *Group, i int, s env.Step) {
	t.Helper()
	n, k := len(s.Obs), len(s.Info.Mask)
	for j, v := range s.Obs {
		if g.at.obs[i*n+j] != v {
			t.Fatalf("environment %d: observation %d is %v, want %v", i, j, g.at.obs[i*n+j], v)
		}
	}
	for j, v := range s.Info.Mask {
		if g.at.mask[i*k+j] != flag(v) {
			t.Fatalf("environment %d: mask %d is %v, want %v", i, j, g.at.mask[i*k+j], v)
		}
	}
	if g.at.reward[i] != s.Reward || g.at.terminated[i] != flag(s.Terminated) ||
		g.at.truncated[i] != flag(s.Truncated) || g.at.elapsed[i] != s.Info.Elapsed {
		t.Fatalf("environment %d: %v %v %v %v, want %v", i, g.at.reward[i], g.at.terminated[i], g.at.truncated[i],
			g.at.elapsed[i], s)
	}
}

// A group shows what its environments would alone, under each rule of autoreset.
func TestGroupIsItsEnvironments(t *testing.T) {
	for _, id := range []string{"classic/CartPole-v1", "probe/Masked-v0", "probe/Pair-v0", "tarry/Preempt-v0"} {
		for _, rule := range []Autoreset{Disabled, NextStep, SameStep} {
			t.Run(id+"/"+string(rule), func(t *testing.T) {
				const n = 3
				options := ""
				if strings.HasPrefix(id, "tarry/") {
					options = "cluster=2x2x4,horizon=6"
				}
				g := opened(t, Request{ID: id, Options: options, Count: n, Autoreset: rule})
				start(t, g, 7)
				alone := make([]env.Env, n)
				now := make([]env.Step, n)
				for i := range alone {
					alone[i], _ = g.one()
					seed := 7 + uint64(i)
					obs, info, err := alone[i].Reset(&seed, "")
					if err != nil {
						t.Fatal(err)
					}
					now[i] = env.Step{Obs: obs, Info: info}
					same(t, g, i, now[i])
				}
				play(t, g, alone, now)
			})
		}
	}
}

// play steps a group and the same environments alone.
func play(t *testing.T, g *Group, alone []env.Env, now []env.Step) {
	t.Helper()
	stream, ends := rng.Source{Seed: 1}.Stream("actions"), 0
	for range 60 {
		done := make([]bool, len(alone))
		for i := range alone {
			done[i] = now[i].Done()
			if done[i] && g.request.Autoreset == Disabled {
				for j := range alone {
					g.at.chosen[j] = flag(j == i)
				}
				g.at.seeded[i] = 0
				if s := g.Reset(""); s != OK {
					t.Fatal(g.Fault())
				}
				obs, info, _ := alone[i].Reset(nil, "")
				now[i], done[i] = env.Step{Obs: obs, Info: info}, false
			}
			if err := g.spec.Action.Sample(g.action(i), stream, now[i].Info.Mask); err != nil && !done[i] {
				t.Fatal(err)
			}
		}
		if s := g.Step(); s != OK {
			t.Fatal(g.Fault())
		}
		for i, e := range alone {
			var err error
			if done[i] {
				obs, info, _ := e.Reset(nil, "")
				now[i] = env.Step{Obs: obs, Info: info}
			} else if now[i], err = e.Step(g.action(i)); err != nil {
				t.Fatal(err)
			}
			if now[i].Done() {
				ends++
			}
			if now[i].Done() && g.request.Autoreset == SameStep {
				final := now[i]
				for j, v := range final.Obs {
					if g.at.obsFinal[i*len(final.Obs)+j] != v {
						t.Fatalf("final observation of %d differs", i)
					}
				}
				obs, info, _ := e.Reset(nil, "")
				same(t, g, i, env.Step{Obs: obs, Info: info, Reward: final.Reward, Terminated: final.Terminated,
					Truncated: final.Truncated})
				now[i] = env.Step{Obs: obs, Info: info}
				continue
			}
			same(t, g, i, now[i])
		}
	}
	if ends == 0 {
		t.Error("no episode ended")
	}
}

// Wrong calls have a status and a text, and change nothing.
func TestStatuses(t *testing.T) {
	g := opened(t, Request{ID: "classic/CartPole-v1", Count: 2, Autoreset: Disabled})
	want := func(s, status Status, text string) {
		t.Helper()
		if s != status || !strings.Contains(g.Fault(), text) {
			t.Errorf("status %d with %q, want %d with %q", s, g.Fault(), status, text)
		}
	}
	want(g.Step(), ResetNeeded, "environment 0: classic/CartPole-v1: step: reset needed")
	start(t, g, 1)
	before := append([]float64(nil), g.at.obs...)
	g.at.action[0], g.at.action[1] = 1, 2
	want(g.Step(), InvalidAction, "environment 1: classic/CartPole-v1: invalid action")
	for i, v := range before {
		if g.at.obs[i] != v {
			t.Error("a refused action stepped an environment")
		}
	}
	want(g.Reset("colour=red"), Refused, "colour")
	want(g.Step(), ResetNeeded, "reset needed")
	start(t, g, 1)
	_, s := g.Text(2)
	want(s, Refused, "environment 2, expected 0 to 1")
	g.mu.Lock()
	want(g.Step(), Busy, "in use by another thread")
	g.mu.Unlock()
	want(g.Bind(make([]byte, 8)), Refused, "a buffer of 8 bytes, expected")
	if s := g.guarded(Failed, func() error { panic("oops") }); s != Failed || !strings.Contains(g.Fault(), "oops") {
		t.Errorf("a panic gives %d %q", s, g.Fault())
	}
	want(g.Step(), ResetNeeded, "reset needed")
	if s := g.Close(); s != OK {
		t.Error(g.Fault())
	}
	want(g.Step(), Closed, "environment is closed")
	want(g.Close(), Closed, "environment is closed")
}

func TestRequestsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":"x","count":0,"autoreset":"Disabled"}`:                 "num_envs is 0, expected 1 to 65536",
		`{"id":"x","count":1,"autoreset":"Never"}`:                    `autoreset mode is "Never"`,
		`{"id":"x","count":1,"autoreset":"Disabled","max_steps":-1}`:  "max_episode_steps is -1",
		`{"id":"x","count":1,"autoreset":"Disabled","colour":"blue"}`: "colour",
	} {
		if _, err := ParseRequest([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, want %q", text, err, want)
		}
	}
	for id, want := range map[string]string{"tarry/Ordr-v0": "unknown, expected one of", "tarry/Order-v0": "load"} {
		if _, err := Open(envs.All(), simulation.All(), Request{ID: id, Options: "load=much", Count: 1,
			Autoreset: Disabled}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, want %q", id, err, want)
		}
	}
}

// A time limit of the caller's own truncates.
func TestMaxSteps(t *testing.T) {
	g := opened(t, Request{ID: "classic/Pendulum-v1", Count: 1, Autoreset: Disabled, MaxSteps: 3})
	start(t, g, 1)
	for k := range 3 {
		if s := g.Step(); s != OK || (g.at.truncated[0] == 1) != (k == 2) {
			t.Errorf("step %d: status %d, truncated %d", k, s, g.at.truncated[0])
		}
	}
	if s := g.Step(); s != ResetNeeded {
		t.Errorf("a step behind the limit gives %d", s)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	g := opened(t, Request{ID: "classic/CartPole-v1", Count: 8, Autoreset: NextStep})
	start(t, g, 1)
	if a := testing.AllocsPerRun(200, func() { g.Step() }); a != 0 {
		t.Errorf("%v allocations per step, want 0", a)
	}
}

// More environments than memory holds are refused before they are made, with what they need and
// what there is.
func TestTooLargeForMemory(t *testing.T) {
	request := Request{ID: "classic/CartPole-v1", Count: 1 << 16, Autoreset: NextStep}
	const little = 1 << 20
	if _, err := open(envs.All(), simulation.All(), request, func() int64 { return little }); err == nil ||
		!strings.Contains(err.Error(), "classic/CartPole-v1: 65536 environments of about") ||
		!strings.HasSuffix(err.Error(), "and 1 MiB of memory are free: expected fewer environments, or options that "+
			"make them smaller") {
		t.Errorf("the error is %v", err)
	}
	for _, free := range []int64{0, 64 << 30} {
		request.Count = many
		g, err := open(envs.All(), simulation.All(), request, func() int64 { return free })
		if err != nil {
			t.Fatalf("%d bytes free: %v", free, err)
		}
		if n := len(g.envs); n != many {
			t.Errorf("%d environments, expected %d", n, many)
		}
		if s := g.Close(); s != OK {
			t.Errorf("closed with %v", s)
		}
	}
	order := Request{ID: "tarry/Order-v0", Options: "jobs=65536", Count: 1 << 16, Autoreset: NextStep}
	if _, err := open(envs.All(), simulation.All(), order, func() int64 { return 100 << 30 }); err == nil ||
		!strings.Contains(err.Error(), "GiB, and 100 GiB of memory are free") {
		t.Errorf("the error is %v", err)
	}
}
