package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
)

// With plenty of CPU and memory runs are as without hosts to the last bit, under coupled and other
// speed models; with less they are slower.
func TestHostsOfPlenty(t *testing.T) {
	for _, speed := range []string{"collective", "contended", "tiers"} {
		c := Default()
		c.Trace, c.Cluster, c.Speed, c.Policies = "synth:demo,jobs=60,load=1.2", "ethernet:2x2x8", speed,
			[]string{"dally", "las"}
		c.Variability, c.Efficiency, c.Interference = "drawn:sigma=0.1", "measured", "nway"
		want, _ := rowOf(t, c)
		for _, law := range []string{"none", "catalogue:cpus=0,mem_gib=0", "catalogue:cpus=1000,mem_gib=1000"} {
			c.Hosts = law
			if got, _ := rowOf(t, c); got != want {
				t.Errorf("%s, %s: %s\nwithout: %s", speed, law, got, want)
			}
		}
		c.Hosts = "catalogue"
		if got, _ := rowOf(t, c); got == want {
			t.Errorf("%s: the catalogue holds nobody up", speed)
		}
	}
}

// The setting is in the resolved configuration with its files and the machines' CPU and memory,
// none is not; its faults have a place.
func TestHostsSpellings(t *testing.T) {
	put := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	c := Default()
	c.Trace, c.Policies = "synth:demo", []string{"fifo"}
	file := put("hosts.csv", "model,cpus,mem_gib,throughput\na,1,1,1\n")
	for text, want := range map[string]string{"catalogue": `"hosts":"catalogue"`, "none": "", "": "", "profile:" +
		file: file, "catalogue:cpus=5": `"CPUMilli":40000`} {
		c.Hosts = text
		s, err := Build(c, simulation.All())
		if err != nil {
			t.Fatal(err)
		}
		got := s.BaseJSON()
		if want == "" && (strings.Contains(got, "hosts") || !strings.Contains(got, `"CPUMilli":0`)) ||
			!strings.Contains(got, want) {
			t.Errorf("%q: %s", text, got)
		}
		if text == "profile:"+file && (len(s.Files) != 1 || s.Files[0].Path != file) {
			t.Errorf("files %v", s.Files)
		}
	}
	c.Hosts = ""
	if err := c.ReadFile(put("run.yaml", "hosts: catalogue:cpus=y,b=1\n")); err != nil {
		t.Fatal(err)
	}
	_, err := Build(c, simulation.All())
	for _, want := range []string{`run.yaml:1:1: `, `cpus is "y"`, `unknown key "b"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// Sockets are the slots of the cluster, wherever it is from: jobs of 4 GPUs on machines of 8 lose
// by socket=0.9 where there are four sockets of 2, and not where there are two of 4, in which they
// are placed.
func TestHostsOfSockets(t *testing.T) {
	c := Default()
	c.Trace, c.Speed, c.Policies = filepath.Join(t.TempDir(), "jobs.csv"), "counting", []string{"fifo"}
	if err := os.WriteFile(c.Trace, []byte("id,submit_s,gpus,duration_s,model\na,0,4,100,bert\nb,0,4,100,bert\nc,0,"+
		"4,100,bert\nd,50,4,100,bert\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	row := func(slots, hosts string) string {
		path := filepath.Join(t.TempDir(), "run.yaml")
		if err := os.WriteFile(path,
			[]byte("cluster: {racks: [{machines: [{count: 2, gpus: 8, slots: "+slots+"}]}]}\nhosts: "+hosts+"\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
		d := c
		if err := d.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		got, _ := rowOf(t, d)
		return got
	}
	for slots, loses := range map[string]bool{"1": false, "2": false, "4": true} {
		if plain, some := row(slots, "catalogue"), row(slots, "catalogue:socket=0.9"); (plain != some) != loses {
			t.Errorf("%s sockets: %s\nwith socket=0.9: %s", slots, plain, some)
		}
	}
}
