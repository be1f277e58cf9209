package auction_test

import (
	"fmt"

	"tarry/baselines/themis/auction"
)

// Two jobs bid for four GPUs: values are 1/rho. The second stops to gain at one GPU, so the first
// gets three; what it keeps states how much its presence costs the second: nothing.
func Example() {
	var a auction.Auction
	o := a.Run([][]float64{{0.1, 0.2, 0.3, 0.4, 0.5}, {0.5, 0.9}}, 4)
	fmt.Println(o.GPUs, o.Kept)
	o = a.Run([][]float64{{0.1, 0.2, 0.3, 0.4, 0.5}, {0.1, 0.2, 0.3, 0.4, 0.5}}, 4)
	fmt.Printf("%v %.2f\n", o.GPUs, o.Kept)
	// Output:
	// [3 1] [1 0.8]
	// [2 2] [0.60 0.60]
}
