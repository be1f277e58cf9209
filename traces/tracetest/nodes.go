package tracetest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/entry"
	"tarry/sim/preset"
	"tarry/traces/nodes"
)

// Nodes is a reader of files of nodes and a small whole sample of its format.
type Nodes struct {
	// Read is the reader.
	Read nodes.Reader
	// Sample is text with LF line ends.
	Sample string
	// Want is the cluster of the sample, as Racks writes it.
	Want string
	// Account are parts of the account of the sample.
	Account []string
}

// Racks writes a cluster as text: "2x8 v100 cpu 96000 mem 1024" is two machines of 8 GPUs; runs are
// joined by " + ", racks by " | ".
func Racks(c *preset.Cluster) string {
	var racks []string
	for _, rack := range c.Spec.Racks {
		var runs []string
		for _, m := range rack {
			run := fmt.Sprintf("%dx%d %s", m.Count, m.GPUs, m.Type)
			for _, v := range []struct {
				name string
				of   int64
			}{{"cpu", m.CPUMilli}, {"mem", m.MemMiB}, {"gpumem", m.GPUMiB}} {
				if v.of > 0 {
					run += fmt.Sprintf(" %s %d", v.name, v.of)
				}
			}
			if m.MIG != "" {
				run += " mig " + m.MIG
			}
			runs = append(runs, strings.TrimSpace(run))
		}
		racks = append(racks, strings.Join(runs, " + "))
	}
	return strings.Join(racks, " | ")
}

// Test runs the suite: the sample's cluster and account; the same under other line ends,
// byte-order marks and compression; no panic on a part of the file.
func (n Nodes) Test(t *testing.T) {
	t.Helper()
	read := func(name, text string) (preset.Cluster, string, error) {
		c, report, err := nodes.Parse(name, strings.NewReader(text), entry.ClusterOptions{PerRack: preset.PerRack}, n.Read)
		if report == nil {
			return c, "", err
		}
		return c, report.String(), err
	}
	c, account, err := read("sample.txt", n.Sample)
	if err != nil {
		t.Fatalf("the sample: %v", err)
	}
	if got := Racks(&c); got != n.Want {
		t.Errorf("racks are\n%s\nwant\n%s", got, n.Want)
	}
	if c.Name != "sample" || c.Doc == "" || len(c.Sources) == 0 || c.Fabric.Validate() != nil {
		t.Errorf("the cluster is named %q with doc %q and network %v", c.Name, c.Doc, c.Fabric.Validate())
	}
	for _, part := range n.Account {
		if !strings.Contains(account, part) {
			t.Errorf("no %q in the account\n%s", part, account)
		}
	}
	for name, text := range map[string]string{
		"CRLF":        strings.ReplaceAll(n.Sample, "\n", "\r\n"),
		"BOM":         "\xef\xbb\xbf" + n.Sample,
		"no last end": strings.TrimRight(n.Sample, "\n"),
		"blank lines": n.Sample + "\n\n",
		"gzip":        string(Gzip(t, n.Sample)),
		"zstd":        string(Zstd(t, n.Sample)),
	} {
		if c, _, err := read("sample.txt", text); err != nil || Racks(&c) != n.Want {
			t.Errorf("%s: %v, racks are\n%s\nwant\n%s", name, err, Racks(&c), n.Want)
		}
	}
	for i := range len(n.Sample) {
		if c, _, err := read("sample.txt", n.Sample[:i]); err == nil {
			if _, err := cluster.New(c.Spec); err != nil {
				t.Fatalf("the first %d bytes give no cluster: %v", i, err)
			}
		}
	}
	for _, text := range []string{"", "\n", " \n\r\n", "\xef\xbb\xbf"} {
		if _, _, err := read("sample.txt", text); err == nil || !strings.HasPrefix(err.Error(), "sample.txt") {
			t.Errorf("%q gives the error %v, expected one that starts with the file's name", text, err)
		}
	}
}

// Wrong compares the whole error of each input, read as the file "f".
func (n Nodes) Wrong(t *testing.T, cases map[string]string) {
	t.Helper()
	for input, want := range cases {
		_, _, err := nodes.Parse("f", strings.NewReader(input), entry.ClusterOptions{PerRack: 4}, n.Read)
		if err == nil || err.Error() != want {
			t.Errorf("%q: got\n%v\nwant\n%s", input, err, want)
		}
	}
}

// Fuzz runs a reader on arbitrary bytes: it must not panic, and what it gives must be a cluster.
func (n Nodes) Fuzz(f *testing.F, more ...string) {
	for _, s := range append(more, n.Sample) {
		f.Add([]byte(s), 4)
	}
	f.Fuzz(func(t *testing.T, data []byte, perRack int) {
		c, _, err := nodes.Parse("f", bytes.NewReader(data), entry.ClusterOptions{PerRack: max(0, min(perRack, 1<<20)),
			Down: perRack%2 == 1}, n.Read)
		if err != nil {
			return
		}
		if c.Spec.GPUs() > 1<<16 {
			return // right, and slow to build
		}
		if _, err := cluster.New(c.Spec); err != nil {
			t.Fatal(err)
		}
	})
}
