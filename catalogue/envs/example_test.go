package envs_test

import (
	"fmt"
	"log"

	"tarry/catalogue/envs"
	"tarry/catalogue/simulation"
	"tarry/sim/rng"
)

// Example plays an episode with random legal actions. The pages of the environments show it.
func Example() {
	e, err := envs.All().Make(simulation.All(), "probe/Masked-v0")
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	seed, agent := uint64(1), rng.Source{Seed: 1}.Stream("agent")
	_, info, err := e.Reset(&seed, "")
	if err != nil {
		log.Fatal(err)
	}
	action := make([]float64, e.Spec().Action.Len())
	sum, steps := 0.0, 0
	for done := false; !done && steps < 1000; steps++ {
		if err := e.Spec().Action.Sample(action, agent, info.Mask); err != nil {
			log.Fatal(err)
		}
		s, err := e.Step(action)
		if err != nil {
			log.Fatal(err)
		}
		sum, info, done = sum+s.Reward, s.Info, s.Done()
	}
	fmt.Println(steps, sum)
	// Output: 1 1
}
