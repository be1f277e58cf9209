package batsim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/sim/entry"
	"tarry/traces/intake"
	"tarry/traces/nodes"
	"tarry/traces/tracetest"
)

const sample = `{"nb_res": 8, "description": "made up",
"jobs": [
  {"id": "1", "subtime": 0.0, "walltime": 200, "res": 2, "profile": "p1"},
  {"id": 2, "subtime": 5.5, "res": 8, "profile": "p1"},
  {"id": "w0!3", "subtime": 7, "walltime": -1, "res": 1, "profile": "seq"},
  {"id": "4", "subtime": 8, "walltime": 60, "res": 1, "profile": "p1", "dependencies": ["1"]}
],
"profiles": {
  "p1": {"type": "delay", "delay": 100},
  "p2": {"type": "DelayProfile", "delay": 0.25},
  "seq": {"type": "composed", "repeat": 2, "seq": ["p1", "p2"]}
}}
`

func TestParse(t *testing.T) {
	tracetest.Test(t, tracetest.Format{Parse: Parse, Sample: sample,
		Duplicate: strings.Replace(sample, `"id": 2`, `"id": "1"`, 1)})
	w, report, err := Parse("f", strings.NewReader(sample), intake.Options{})
	if err != nil || report.Processors != 8 {
		t.Fatal(err, report)
	}
	got := ""
	for _, j := range w.Jobs {
		got += fmt.Sprintf("%s at %v on %d: %v asked %v %s\n", j.ID, j.Submit, j.GPUs, j.Work, j.Request, j.State)
	}
	if want := "1 at 0s on 2: 200s asked 200s COMPLETED_SUCCESSFULLY\n" +
		"2 at 5.5s on 8: 800s asked 0s COMPLETED_SUCCESSFULLY\n" +
		"w0!3 at 7s on 1: 200.5s asked 0s COMPLETED_SUCCESSFULLY\n" +
		"4 at 8s on 1: 60s asked 60s COMPLETED_WALLTIME_REACHED\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	notes := strings.Join(report.Notes, "\n")
	for _, want := range []string{"1 jobs have dependencies", "1 jobs run longer than their walltime"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %q", want, notes)
		}
	}
}

// Profiles of computations need a speed; profiles with transfers of data are left out in any case.
func TestSpeed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.json")
	text := `{"jobs": [{"id": "a", "subtime": 0, "res": 4, "profile": "h"}, {"id": "b", "subtime": 0, "res": 4,
"profile": "t"}, {"id": "c", "subtime": 0, "res": 2, "profile": "p"}, {"id": "d", "subtime": 0, "res": 2,
"profile": "m"}, {"id": "e", "subtime": 0, "res": 2, "profile": "s"}, {"id": "f", "subtime": 0, "res": 1, "profile": "d"}],
"profiles": {"h": {"type": "parallel_homogeneous", "cpu": 1e12, "com": 0}, "t": {"type": "parallel_homogeneous_total",
"cpu": 1e12}, "p": {"type": "ParallelTaskProfile", "cpu": [5e9, 0], "com": [0, 0, 0, 0]}, "m": {"type": "parallel",
"cpu": [1, 1], "com": [0, 5, 0, 0]}, "s": {"type": "smpi", "trace": "x"}, "d": {"type": "delay", "delay": 1}}}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for suffix, want := range map[string]string{
		"": "f 1s;|profiles of type parallel_homogeneous need the speed of a host: batsim:FILE,speed=1Gf|profiles of type " +
			"parallel_homogeneous_total need the speed of a host: batsim:FILE,speed=1Gf|profiles of type ParallelTaskProfile " +
			"need the speed of a host: batsim:FILE,speed=1Gf|profiles of type parallel that move data need a simulation of " +
			"the network|profiles of type smpi need a simulation of hosts and network",
		",speed=1Gf": "a 4000s;b 1000s;c 10s;f 1s;|profiles of type parallel that move data need a simulation of the " +
			"network|profiles of type smpi need a simulation of hosts and network",
	} {
		w, report, err := Read(path+suffix, intake.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, j := range w.Jobs {
			got += fmt.Sprintf("%s %v;", j.ID, j.Work)
		}
		for _, d := range report.Dropped {
			got += "|" + d.Text
		}
		if got != want {
			t.Errorf("%q gives\n%s\nwant\n%s", suffix, got, want)
		}
	}
	if _, _, err := Read(path+",speed=fast", intake.Options{}); err == nil ||
		!strings.Contains(err.Error(), `speed is "fast", expected flop per second, such as 1Gf or 16.6E9flops`) {
		t.Errorf("a wrong speed gives %v", err)
	}
}

func TestWrong(t *testing.T) {
	one := func(job, profiles string) string {
		return `{"jobs": [` + job + `], "profiles": {` + profiles + `}}`
	}
	const p = `"p": {"type": "delay", "delay": 1}`
	job := func(profile string) string {
		return `{"id": "a", "subtime": 0, "res": 1, "profile": "` + profile + `"}`
	}
	tracetest.TestWrong(t, Parse, []tracetest.Wrong{
		{"list", "[]", "f:1: the file starts with [, expected a JSON object: {"},
		{"cut", `{"jobs": [{"id": "a"}`, "f:1: the file ends inside the object: is it cut off?"},
		{"behind", "{}\n{}", "f:2: { after the closing brace, expected the end of the file"},
		{"none", "{}", "f: no job can be kept: it holds no rows"},
		{"res", one(`{"id": "a", "subtime": 0, "res": 0, "profile": "p"}`, p),
			`f:1: column "res" is "0", expected a whole number from 1 to 1000000`},
		{"subtime", one(`{"id": "a", "subtime": -1, "res": 1, "profile": "p"}`, p),
			`f:1: column "subtime" is "-1", expected seconds >= 0`},
		{"walltime", one(`{"id": "a", "subtime": 1, "walltime": 0, "res": 1, "profile": "p"}`, p),
			`f:1: column "walltime" is "0", expected seconds > 0`},
		{"id", one(`{"subtime": 0, "res": 1, "profile": "p"}`, p), `f:1: column "id" is "", expected a name`},
		{"profile", one(job("q"), p), `f:1: column "profile" is "q", expected the name of one of the profiles`},
		{"object", one("\n3", p), "f:2: the job is no object of id, subtime, res, walltime and profile as text or numbers"},
		{"delay", one(job("p"), `"p": {"type": "delay"}`),
			`f:1: profile "p": delay is missing or below 0, expected seconds`},
		{"type", one(job("p"), `"p": {}`), `f:1: profile "p" has no type`},
		{"seq", one(job("p"), `"p": {"type": "composed", "seq": ["x"]}`),
			`f:1: profile "x" is in a sequence, and not among the profiles`},
		{"loop", one(job("p"), `"p": {"type": "composed", "seq": ["p"]}`),
			`f:1: profile "p": sequences of more than 32 levels or 1048576 parts`},
		{"long", one(job("p"), `"p": {"type": "delay", "delay": 1e300}`),
			`f:1: profile "p" takes 1e+300 s, expected 0 to 1e+12`},
		{"cpu", one(job("p"), `"p": {"type": "parallel", "cpu": [-1]}`),
			`f:1: cpu and com of a profile of type parallel are no numbers >= 0`},
	})
}

func FuzzParse(f *testing.F) { tracetest.Fuzz(f, Parse, sample) }

const plat = `<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="AS0" routing="Full">
  <cluster id="c" prefix="n" suffix="" radical="0-3,10" speed="1Gf" bw="125MBps" lat="50us" bb_bw="2.25GBps">
    <prop id="memory" value="1"/>
  </cluster>
  <cluster id="d" prefix="m-" suffix=".x" radical="1-2" speed="3Gf" bw="125MBps" lat="50us"/>
  <cluster id="e" prefix="master_host" suffix="" radical="0-0" speed="1Gf" bw="1MBps" lat="1us"/>
  <cluster id="s" prefix="pfs" suffix="" radical="0-0" speed="1Gf" bw="1MBps" lat="1us">
    <prop id="role" value="storage"/>
  </cluster>
  <link id="backbone" bandwidth="1.25GBps" latency="500us"/>
</zone>
</platform>
`

func platforms() tracetest.Nodes {
	return tracetest.Nodes{Read: readPlatform, Sample: plat, Want: "5x1 | 2x1",
		Account: []string{"7 nodes kept of 9 rows", "1 dropped: the host is the master's", "1 dropped: the host is storage",
			"hosts have 2 speeds", "every host has a link of 125MBps and 50us", "GPUs: 7 without a type"}}
}

func TestPlatform(t *testing.T) {
	n := platforms()
	n.Test(t)
	n.Wrong(t, map[string]string{
		"<html></html>": "f:1: the file starts with <html>, expected <platform>",
		"<platform>\n<cluster id=\"a\" radical=\"x\"/></platform>": `f:2: column "radical" is "x", expected numbers and ` +
			`ranges such as 0-7,10, of at most 1048576 hosts`,
		"<platform><cluster prefix=\"a\" radical=\"0\" bw=\"fast\" lat=\"0\"/></platform>": `f:1: column "bw" is "fast", ` +
			`expected a bandwidth such as 125MBps or 1Gbps`,
		"<platform><cluster prefix=\"a\" radical=\"0\" bw=\"1Gbps\" lat=\"x\"/></platform>": `f:1: column "lat" is "x", ` +
			`expected a time such as 50us`,
		"<platform></platform>": "f: no node with a GPU can be kept: it holds no rows",
		"<platform>\n<":         "f:2: XML syntax error on line 2: unexpected EOF",
	})
	for text, want := range map[string]string{
		`<platform><AS id="a"><host id="m"><prop id="role" value="master"/></host><host id="x" core="4"/><host id="y"/></AS>` +
			`<AS id="b"><AS id="c"><host id="z"/></AS></AS></platform>`: "2x1 | 1x1",
		`<platform><zone id="a" routing="Cluster"><cabinet id="c" prefix="a" suffix="" radical="10-25" bw="56Gbps" ` +
			`lat="1us"/><cabinet id="c" prefix="b" suffix="" radical="10-25" bw="56Gbps" lat="1us"/></zone></platform>`: "16x1 | 16x1",
	} {
		c, _, err := nodes.Parse("f", strings.NewReader(text), entry.ClusterOptions{PerRack: 4}, readPlatform)
		if got := tracetest.Racks(&c); err != nil || got != want {
			t.Errorf("%s gives %s, %v, want %s", text, got, err, want)
		}
		if strings.Contains(text, "56Gbps") && (c.Fabric.Links[2].GBps != 7 || c.Fabric.Links[2].LatencyNS != 1000) {
			t.Errorf("the network is %v", c.Fabric.Links)
		}
	}
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]float64{"125MBps": 0.125, "1GBps": 1, "56Gbps": 7, "1.25E8Bps": 0.125, "1E9": 1,
		"1GiBps": 1.073741824} {
		if got, ok := gbps(text); !ok || got != want {
			t.Errorf("%s is %v GB/s, %v, want %v", text, got, ok, want)
		}
	}
	for text, want := range map[string]float64{"50us": 50_000, "1ms": 1e6, "2.4E-5s": 24_000, "0": 0, "3ns": 3} {
		if got, ok := latency(text); !ok || got != want {
			t.Errorf("%s is %v ns, %v, want %v", text, got, ok, want)
		}
	}
	if got, ok := quantity("16.673E9flops", "f", "flops"); !ok || got != 16.673e9 {
		t.Errorf("flops: %v, %v", got, ok)
	}
}

func FuzzPlatform(f *testing.F) { platforms().Fuzz(f) }
