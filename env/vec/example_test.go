package vec

import (
	"fmt"
	"testing"
)

func BenchmarkVec(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("CartPole,n=64,workers=%d", workers), func(b *testing.B) {
			v := open(b, Config{New: poles, N: 64, Workers: workers})
			started(b, v)
			actions := make([]float64, 64)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				for k := range actions {
					actions[k] = float64((i + k) & 1)
				}
				if _, err := v.Step(actions); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(64*float64(b.N)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

func Example() {
	v, err := New(Config{New: cars, N: 2, Workers: 2, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer v.Close()
	if _, err := v.Reset(); err != nil {
		fmt.Println(err)
		return
	}
	for n := range 11 {
		b, err := v.Step([]float64{0, 2})
		if err != nil {
			fmt.Println(err)
			return
		}
		for i := range v.N() {
			if b.Done(i) {
				fmt.Printf("step %d ends an episode of environment %d: truncated %v, return %v\n", n, i,
					b.Truncated[i], b.Episodes[i].Return)
			}
		}
	}
	// Output:
	// step 9 ends an episode of environment 0: truncated true, return -10
	// step 10 ends an episode of environment 1: truncated true, return -11
}
