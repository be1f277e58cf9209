package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/legible"
)

// hostileName is a file name, a policy, an id: it clears the screen, colours, turns the direction,
// hides a letter.
const hostileName = "a\u202eb\u200bc\u2066d\u00ade\ufeff"

// TestHostileNames: no command writes to a terminal what it would obey or not show, whatever things
// are called.
func TestHostileNames(t *testing.T) {
	dir := scratch(t)
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	h := hostileName
	escaped := strings.ReplaceAll(h, "\u202e", "\x1b[2J\u009b31m\u202e")
	jobs := write(h+".csv",
		"id,submit_s,gpus,work_s,user,vc,model\n\""+escaped+"\nforged line\",0,4,100,\""+escaped+"\",\""+escaped+"\",vgg11\n"+
			escaped+"2,0,4000,100,u,v,vgg11\n")
	cluster := write(h+".yaml", "name: "+h+"\nracks: [{machines: [{count: 2, gpus: 8, type: "+h+"}]}]\n")
	sweep := write("sweep.yaml",
		"name: s\nquestion: "+h+"\nkind: simulate\nbase: {trace: \"csv:"+jobs+"\"}\naxes: [{name: policy, values: "+
			"[fifo, srtf]}, {name: shape, cases: [{name: "+h+", set: {cluster: \""+cluster+"\"}}]}]\n")
	for name, text := range map[string]string{"bad1.yaml": h + ": 1\n", "bad2.yaml": "\"\\e[2J\": 1\n",
		"bad3.yaml": "cluster: " + h + "\npolicy: " + h + "\n", "bad4.yaml": "a: *" + h + "\n"} {
		write(name, text)
	}
	for _, args := range [][]string{
		{"simulate", "--trace", "csv:" + jobs, "--policy", "fifo", "--cluster", cluster, "--out", h + "o",
			"--timeline", h + ".json"},
		{"compare", "--trace", "csv:" + jobs, "--policy", "fifo", "--policy", "srtf", "--out", h + "c", "--plot", h +
			"p", "--format", "json"},
		{"simulate", "--trace", "csv:" + jobs, "--policy", h}, {"simulate", "--trace", h + ":x", "--policy", "fifo"},
		{"simulate", "--trace", "csv:" + h, "--policy", "fifo"},
		{"simulate", "--trace", "csv:" + jobs, "--policy", "fifo", "--strict", "--cluster", h}, {"simulate", "--" + h},
		{h}, {"list", h},
		{"simulate", "--config", "bad1.yaml"}, {"simulate", "--config", "bad2.yaml"},
		{"simulate", "--config", "bad3.yaml"}, {"simulate", "--config", "bad4.yaml"}, {"simulate", "--config", h},
		{"train", "--config", "bad1.yaml", "--out", "t"}, {"train", "--env", h, "--out", "t"},
		{"train", "--env", smallEnv, "--set", h + "=1", "--out", h},
		{"tune", "--env", smallEnv, "--policy", h, "--param", h, "--out", "t"}, {"eval", "--checkpoint", h},
		{"eval", "--tuned", h},
		{"sweep", sweep, "--dry-run"}, {"sweep", sweep, "--out", h + "s"}, {"sweep", "status", h + "s", "--cells"},
		{"sweep", "status", h + "s", "--verify"}, {"sweep", "gather", h + "s"},
		{"sweep", "retry", h + "s", h}, {"sweep", "bad1.yaml", "--dry-run"}, {"sweep", "status", h},
		{"figures", h + "s"}, {"figures", h}, {"report", h + "s"}, {"report", h},
		{"export", "tensorboard", "--out", h + "b", h}, {"trace", "info", "csv:" + jobs},
		{"trace", "info", "--format", "json", "csv:" + jobs}, {"trace", "convert", "csv:" + jobs, h + "2.csv"},
		{"trace", "split", "--out", h + "parts", "csv:" + jobs}, {"completion", h},
		{"simulate", "--trace", "csv:a\x1b[2J.csv", "--policy", "fifo"},
		{"simulate", "--trace", "csv:a\nforged", "--policy", "fifo"}, {"sweep", "\u009b2J"},
	} {
		s := tarry(t, dir, args...)
		for _, text := range []string{s.out, s.errors} {
			if strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "").Replace(text), legible.Hidden) ||
				strings.Contains(text, "\nforged") {
				t.Errorf("tarry %q writes %q", args, text)
			}
		}
		if s.code == exitOK && s.out == "" && s.errors == "" {
			t.Errorf("tarry %q says nothing: the test shows nothing", args)
		}
	}
	// Formats for machines have rules of their own: CSV has no escapes.
	if s := good(t, dir, "simulate", "--trace", "csv:"+jobs, "--policy", "fifo", "--format",
		"csv"); !strings.HasPrefix(s.out, "policy,") {
		t.Errorf("as CSV: %q", s.out)
	}
	page, err := os.ReadFile(filepath.Join(dir, h+"s", "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "").Replace(string(page)), legible.Hidden) {
		t.Error("the page holds hidden characters")
	}
	pictures, err := filepath.Glob(filepath.Join(dir, "*", "*.svg"))
	more, _ := filepath.Glob(filepath.Join(dir, "*", "figures", "*.svg"))
	if pictures = append(pictures, more...); err != nil || len(pictures) < 4 {
		t.Errorf("the pictures are %q, %v", pictures, err)
	}
	for _, file := range pictures {
		data, err := os.ReadFile(file)
		if err != nil || strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "").Replace(string(data)),
			legible.Hidden) {
			t.Errorf("%q holds hidden characters, %v", file, err)
		}
	}
}
