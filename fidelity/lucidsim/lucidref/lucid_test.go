package lucidref

import (
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/fidelity/reference"
	"tarry/fidelity/reference/reftest"
)

// A made-up run of two machines of two GPUs. a and b share machine 0, c has machine 1. d wants two
// GPUs, which one machine has when b ends, and blocks e, for which there is room from 100 s on.
const (
	lucidSums = "policy,jobs,mean_jct_s,mean_queue_s,last_end_s,p99_jct_s,preemptions\n"
	lucidHead = "job,num_gpu,submit_s,start_s,end_s,duration_s,jct_s,queue_s,preemptions\n"
	lucidFIFO = lucidHead + "a,1,0,0,100,100,100,0,0\nb,1,0,0,200,200,200,0,0\nc,2,1,1,301,300,300,0,0\nd,2,2,200," +
		"210,10,208,198,0\ne,1,3,210,215,5,212,207,0\n"
)

func TestLucidByHand(t *testing.T) {
	// b (2 GPUs, 5 s) preempts a at 10 s, which has 90 s left: 90 + 40 when b has ended after 5 + 1
	// s.
	srtf := lucidHead + "a,2,0,0,147,100,147,6,1\nb,2,10,10,16,5,6,0,0\n"
	files := map[string]string{"reference/other/mine__2x2__fifo.csv": lucidFIFO,
		"reference/other/two__1x2__srtf.csv": srtf,
		"traces/lucid/two.csv":               "job,num_gpu,submit_s,duration_s\na,2,0,100\nb,2,10,5\n",
		"reference/other/summary.csv":        lucidSums + "fifo,5,204,81,301,300,0\nsrtf,2,76.5,3,147,147,1\n"}
	good, out, details := reftest.Play(t, setup(), files)
	if want := "other: 9 of 9 agree, worst 0 s; jobs 7 of 7, rows of the summary 2 of 2\n"; !good || out != want {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

// Of several files with the policy of a row the row is one file's; a row without a file is named
// and not compared.
func TestLucidSummary(t *testing.T) {
	files := map[string]string{"reference/other/mine__2x2__fifo.csv": lucidFIFO,
		"reference/other/mine__2x2__las.csv": lucidFIFO, "reference/other/more__2x2__fifo.csv": lucidHead +
			"a,1,0,0,60,60,60,0,0\n",
		"reference/other/summary.csv": lucidSums + "fifo,1,60,0,60,60,0\nfifo,5,204,81,301,300,0\nlas,5,1,1,1,1,0\n"}
	good, out, details := reftest.Play(t, setup(), files)
	if want := "other: 8 of 8 agree, worst 0 s; jobs 6 of 6, rows of the summary 2 of 2\n" +
		"other: not compared: jobs of mine__2x2__las.csv: the scheduler las is not among fifo, sjf, qssf, srtf and " +
		"tiresias\nother: not compared: 1 rows of summary.csv: no file has policy las\n"; !good || out != want {
		t.Errorf("good %v\n%s%s\nexpected\n%s", good, out, details, want)
	}
}

func TestLucidFallsShort(t *testing.T) {
	for name, c := range map[string]struct{ file, text, out, details string }{
		"an end": {"mine__2x2__fifo.csv", strings.Replace(lucidFIFO, "200,210", "200,211", 1),
			"lucid: 4 of 5 agree, worst 1 s\n",
			"first job d: start 200, end 210, queue 198 s, 0 preemptions, there 200, 211, 198 s, 0"},
		"preemptions": {"mine__2x2__fifo.csv", strings.Replace(lucidFIFO, "198,0", "198,1", 1),
			"lucid: 4 of 5 agree, worst 0 s\n", "first job d"},
		"GPUs": {"mine__2x2__fifo.csv", strings.Replace(lucidFIFO, "a,1", "a,x", 1), "lucid: 0 of 5 agree",
			`num_gpu is "x", expected a number`},
		"no GPUs": {"mine__2x2__fifo.csv", strings.Replace(lucidFIFO, "a,1", "a,0", 1), "lucid: 0 of 5 agree",
			"row 1: 0 GPUs, submit 0 s, duration 100 s, expected 1..1e6 GPUs"},
		"too large": {"mine__2x2__fifo.csv", strings.Replace(lucidFIFO, "c,2", "c,5", 1), "lucid: ", "5 simulated"},
		"a time": {"mine__2x2__fifo.csv", strings.Replace(lucidFIFO, "10,208", "10,209", 1),
			"lucid: 4 of 5 agree, worst 1 s\n", "first job d: start 200, end 210"},
		"a mean": {"summary.csv", lucidSums + "fifo,5,204,81,301,300,1\n", "lucid: 5 of 6 agree, worst 1 s;",
			"preemptions of fifo is 0, expected 1"},
		"means": {"summary.csv", "policy,mean_jct_s,mean_queue_s\nfifo,204.0001,82\n",
			"lucid: 5 of 6 agree, worst 1 s;", "mean_queue_s of fifo is 81, expected 82"},
		"columns": {"mine__2x2__fifo.csv", "job,start_s\n", "lucid: 0 of 0 agree", "no column"},
	} {
		t.Run(name, func(t *testing.T) {
			good, out, details := reftest.Play(t, setup(),
				map[string]string{"reference/lucid/mine__2x2__fifo.csv": lucidFIFO, "reference/lucid/" +
					c.file: c.text})
			if good || !strings.HasPrefix(out, c.out) || !strings.Contains(details, c.details) {
				t.Errorf("good %v\n%s%s\nexpected\n%s%s", good, out, details, c.out, c.details)
			}
		})
	}
}

// setup compares with this program alone.
func setup() reference.Setup {
	return reference.Setup{From: simulation.All(), Readers: []reference.Reader{Reader()}}
}
