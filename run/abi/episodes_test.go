package abi

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"os"
	"strconv"
	"strings"
	"testing"

	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/sim/rng"
)

// episode is one that was played without a Group; digests has one of the reset and of every step.
type episode struct {
	ID      string      `json:"id"`
	Options string      `json:"options"`
	Seed    uint64      `json:"seed"`
	Actions [][]float64 `json:"actions"`
	Digests []string    `json:"digests"`
}

// shortOptions makes episodes over the simulator short.
func shortOptions(id string) string {
	e, err := envs.All().Find(id)
	if err != nil || !strings.Contains(e.Help(), "\nwarm ") {
		return ""
	}
	switch {
	case id == "tarry/Pick-v0", id == "tarry/Inspect-v0":
		return "cluster=2x2x4,warm=0,horizon=48"
	case strings.HasPrefix(id, "tarry/Offer"):
		return "cluster=2x2x4,warm=2,horizon=12,load=1.2"
	}
	return "cluster=2x2x4,warm=2,horizon=12"
}

// longest is the most steps of an episode here.
const longest = 120

// digest is the first eight bytes of the SHA-256 of all that a step gives.
func digest(h hash.Hash, s *env.Step) string {
	h.Reset()
	put := func(v any) {
		if err := binary.Write(h, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	put(s.Obs)
	put([]float64{s.Reward, s.Info.Elapsed})
	put(s.Info.Metrics)
	put(s.Info.Mask)
	put([]bool{s.Terminated, s.Truncated})
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// alone plays an episode with random actions.
func alone(t *testing.T, id string, seed uint64) episode {
	t.Helper()
	p := episode{ID: id, Options: shortOptions(id), Seed: seed, Actions: [][]float64{}}
	text := id
	if p.Options != "" {
		text += ":" + p.Options
	}
	e, err := envs.All().Make(simulation.All(), text)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	stream, h := rng.Source{Seed: seed}.Stream("actions"), sha256.New()
	obs, info, err := e.Reset(&seed, "")
	s := env.Step{Obs: obs, Info: info}
	for p.Digests = append(p.Digests, digest(h, &s)); err == nil && !s.Done() &&
		len(p.Actions) < longest; p.Digests = append(p.Digests, digest(h, &s)) {
		action := make([]float64, e.Spec().Action.Len())
		if err := e.Spec().Action.Sample(action, stream, s.Info.Mask); err != nil {
			t.Fatal(err)
		}
		p.Actions = append(p.Actions, action)
		s, err = e.Step(action)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestEpisodes: a Group gives what the environment gives alone, bit for bit, in every environment.
// Where TARRY_EPISODES names a file, the episodes are written to it, for the same test in Python;
// TARRY_EPISODES_EACH is how many each environment has.
func TestEpisodes(t *testing.T) {
	each := 2
	if text := os.Getenv("TARRY_EPISODES_EACH"); text != "" {
		var err error
		if each, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	var all []episode
	for _, entry := range envs.All() {
		for k := range each {
			p := alone(t, entry.ID, uint64(1000+k))
			all = append(all, p)
			replay(t, p)
		}
	}
	if path := os.Getenv("TARRY_EPISODES"); path != "" {
		text, err := json.Marshal(all)
		if err == nil {
			err = os.WriteFile(path, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// replay plays an episode again in a Group.
func replay(t *testing.T, p episode) {
	t.Helper()
	g := opened(t, Request{ID: p.ID, Options: p.Options, Count: 1, Autoreset: Disabled})
	start(t, g, p.Seed)
	h := sha256.New()
	for k, want := range p.Digests {
		s := env.Step{Obs: g.at.obs, Reward: g.at.reward[0], Terminated: g.at.terminated[0] != 0,
			Truncated: g.at.truncated[0] != 0,
			Info:      env.Info{Elapsed: g.at.elapsed[0], Metrics: g.at.metrics}}
		for _, m := range g.at.mask {
			s.Info.Mask = append(s.Info.Mask, m != 0)
		}
		if got := digest(h, &s); got != want {
			t.Fatalf("%s seed %d: step %d differs", p.ID, p.Seed, k)
		}
		if k < len(p.Actions) {
			copy(g.at.action, p.Actions[k])
			if g.Step() != OK {
				t.Fatal(g.Fault())
			}
		}
	}
	g.Close()
}
