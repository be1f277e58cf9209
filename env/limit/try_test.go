package limit

import ("testing";"fmt";"tarry/sim/entry";"tarry/env/model")

func TestTry(t *testing.T) {
	for _, opt := range []string{"stages=1","stages=4"} {
		x, err := Make(entry.Catalogues{}, "protocol=decima,part=validation,"+opt)
		if err != nil { t.Fatal(err) }
		e := x.(*model.Env[*published])
		for _, rule := range e.Rules() {
			if err := e.Follow(rule); err != nil { t.Fatal(err) }
			sum, steps := 0.0, 0
			for w := range 100 {
				_, _, err := e.Reset(nil, fmt.Sprint("window=", w))
				if err != nil { t.Fatal(err) }
				a := []float64{0}
				for {
					if err := e.Demonstrate(a); err != nil { t.Fatal(err) }
					s, err := e.Step(a); if err != nil { t.Fatal(err) }
					steps++
					if s.Done() { break }
				}
				c, err := e.Cost(); if err != nil { t.Fatal(err) }
				sum += c
			}
			fmt.Printf("%s %-14s %.2f s, %d steps\n", opt, rule, sum/100, steps/100)
		}
	}
}
