package choice

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tarry/internal/sharedata"
)

// brute is the least cost over all picks, +Inf when none keeps the capacities.
func brute(p *Problem, g int, left []float64) float64 {
	if g == p.Groups() {
		return 0
	}
	best, k := math.Inf(1), len(p.Cap)
options:
	for o := p.First[g]; o < p.First[g+1]; o++ {
		u := p.Use[int(o)*k:][:k]
		for i := range u {
			if u[i] > left[i]+1e-9 {
				continue options
			}
		}
		for i := range u {
			left[i] -= u[i]
		}
		best = min(best, p.Cost[o]+brute(p, g+1, left))
		for i := range u {
			left[i] += u[i]
		}
	}
	return best
}

// picks checks that the answer of Pick keeps the capacities and costs what it states.
func picks(s *Solver, p *Problem, cost float64) error {
	z := make([]float64, len(p.Cost))
	for g := range p.Groups() {
		z[s.Picked(g)]++
	}
	c, err := checkMix(p, z, 1)
	if err == nil && math.Abs(c-cost) > 1e-9*(1+math.Abs(c)) {
		err = fmt.Errorf("cost %v, of the picks %v", cost, c)
	}
	return err
}

// TestPick holds small problems to all picks one by one.
func TestPick(t *testing.T) {
	var s Solver
	none := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		k := sketches(r)
		k.groups = 1 + k.groups%7
		k.options = 1 + k.options%4
		p := random(r, k)
		want := brute(p, 0, append([]float64(nil), p.Cap...))
		got, err := s.Pick(p)
		switch {
		case math.IsInf(want, 1):
			none++
			if !errors.Is(err, ErrInfeasible) {
				t.Fatalf("seed %d: %v, error %v, expected no picks", seed, got, err)
			}
		case err != nil || math.Abs(got-want) > 1e-9*(1+math.Abs(want)):
			t.Fatalf("seed %d: %v, error %v, expected %v", seed, got, err, want)
		default:
			if err := picks(&s, p, got); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	if none < 100 || none > 2900 {
		t.Errorf("%d of 3000 problems have no picks, expected some of both", none)
	}
}

// TestReferencePick holds Sia's integer problems to the optimum of other solvers.
func TestReferencePick(t *testing.T) {
	files := sharedata.References(t, filepath.Join("*", "sia_ilp.jsonl"))
	var s Solver
	count, nodes, most := 0, 0, 0
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var i struct {
				ID        int            `json:"id"`
				Capacity  []float64      `json:"capacity"`
				Penalty   float64        `json:"unallocated_penalty"`
				Jobs      [][][3]float64 `json:"jobs"`
				Objective float64        `json:"objective"`
			}
			if err := json.Unmarshal(lines.Bytes(), &i); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			var p Problem
			p.Reset(i.Capacity)
			for _, job := range i.Jobs {
				p.Option(i.Penalty)
				for _, o := range job {
					p.Option(o[2])[int(o[0])] = o[1]
				}
				p.Close()
			}
			got, err := s.Pick(&p)
			if err == nil {
				err = picks(&s, &p, got)
			}
			if err != nil || math.Abs(got-i.Objective) > 1e-9*i.Objective {
				t.Errorf("%s: %d: %v, error %v, expected %v", file, i.ID, got, err, i.Objective)
			}
			count, nodes, most = count+1, nodes+s.Nodes(), max(most, s.Nodes())
		}
	}
	t.Logf("%d instances, %.1f linear problems each, at most %d", count, float64(nodes)/float64(count), most)
}
