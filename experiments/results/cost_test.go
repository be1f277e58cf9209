package results

import "testing"

func TestCostTable(t *testing.T) {
	text := "goos: linux\nBenchmarkCost/a/seed=1-2 \t1\t 3.0 cpu-s/training\t 10 us/decision\t 2 " +
		"us/answer\nBenchmarkCost/a/seed=2-2 1 5.0 cpu-s/training 10 us/decision 2 us/answer\n" +
		"BenchmarkCost/b/seed=1 1 1.5 cpu-s/training\nPASS\n"
	want := "| learner | processor time of one training, s | one answer of the network, µs | one decision, " +
		"simulation included, µs |\n|---|---:|---:|---:|\n" +
		"| a | 4.0 [0.2, 95.9] | 2.0 [2.0, 2.0] | 10.0 [10.0, 10.0] |\n| b | 1.5 | - | - |\n"
	if got := costTable(text); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := costTable("PASS\n"); got != "" {
		t.Errorf("without a number: %q", got)
	}
}
