package baselines_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"

	"tarry/baselines"
	"tarry/catalogue/schedulers"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

// story is a small scenario that transcripts are made of.
type story struct {
	name    string
	shape   [3]int // racks, machines per rack, GPUs per machine
	jobs    []sim.Job
	history []sim.Time // work of earlier jobs
}

// told is a job of a story: run is its time alone on one machine, in seconds.
func told(id string, submit, gpus, run int) sim.Job {
	return sim.Job{ID: id, Submit: sim.Time(submit) * sim.Second, GPUs: int32(gpus), Work: sim.Time(gpus*run) *
		sim.Second,
		Model: "vgg16", User: id[:1], Iterations: int64(gpus * run * 1000)}
}

// queueStory asks who goes first: wide, which needs all GPUs, arrives behind two running jobs, and
// then short jobs and a long one that would fit beside them.
func queueStory() story {
	return story{name: "who goes first", shape: [3]int{1, 2, 4},
		jobs: []sim.Job{told("first", 0, 4, 40), told("second", 0, 2, 60), told("wide", 5, 8, 10),
			told("short", 8, 2, 12),
			told("long", 10, 1, 70), told("last", 15, 4, 5)},
		history: []sim.Time{20 * sim.Second, 24 * sim.Second, 70 * sim.Second, 120 * sim.Second, 160 * sim.Second}}
}

// dueStory asks who is in time: last could not be even if it ran at once.
func dueStory() story {
	s := queueStory()
	s.name = "who is in time"
	for i, at := range []int{0, 300, 90, 40, 0, 18} {
		s.jobs[i].Deadline = sim.Time(at) * sim.Second
	}
	return s
}

// placeStory asks where a job goes: four jobs leave one GPU free on each machine, and three more
// arrive that these GPUs would hold, but spread over machines or racks.
func placeStory() story {
	return story{name: "where a job goes", shape: [3]int{2, 2, 4},
		jobs: []sim.Job{told("a", 0, 3, 60), told("b", 0, 3, 26), told("c", 0, 3, 80), told("d", 0, 3, 34),
			told("pair", 2, 2, 15), told("four", 4, 4, 24), told("six", 8, 6, 12)}}
}

// sleepStory asks which machines sleep: two of three are in use, one for long, and later three jobs
// come at once.
func sleepStory() story {
	return story{name: "which machines sleep", shape: [3]int{1, 3, 4},
		jobs: []sim.Job{told("brief", 0, 4, 75), told("stays", 0, 4, 140), told("back", 105, 4, 20),
			told("pair", 107, 2, 10), told("more", 107, 4, 15)}}
}

// moveStory asks who moves: small jobs leave a machine nearly empty, and two wide ones share
// another by turns.
func moveStory() story {
	return story{name: "who moves", shape: [3]int{1, 3, 4},
		jobs: []sim.Job{told("one", 0, 1, 60), told("brief", 0, 1, 14), told("three", 0, 3, 50),
			told("four", 2, 4, 30), told("more", 3, 4, 45)}}
}

// cellStory asks who owns what: right asks for its machine while left's jobs and an opportunistic
// one run, and left's second wide job waits for left's own cells though GPUs are idle.
func cellStory() story {
	s := story{name: "who owns what", shape: [3]int{1, 2, 4},
		jobs: []sim.Job{told("left-pair", 0, 2, 40), told("free", 1, 4, 50), told("left-wide", 5, 4, 20),
			told("left-two", 6, 2, 12), told("right-wide", 10, 4, 30), told("free-small", 12, 1, 30)}}
	for i := range s.jobs {
		j := &s.jobs[i]
		j.VC, _, _ = strings.Cut(j.ID, "-")
		if j.VC == "free" {
			j.Priority = -1
		}
	}
	return s
}

// ranged is an elastic job of a story, on least to most GPUs.
func ranged(id string, submit, gpus, run, least, most int) sim.Job {
	j := told(id, submit, gpus, run)
	j.MinGPUs, j.MaxGPUs = int32(least), int32(most)
	return j
}

// sizeStory asks how many GPUs each job has: elastic jobs share two machines of four, one rigid job
// among them, and a wide one needs a machine at least.
func sizeStory() story {
	return story{name: "how many GPUs", shape: [3]int{1, 2, 4},
		jobs: []sim.Job{ranged("even", 0, 2, 60, 1, 8), ranged("small", 5, 1, 20, 1, 2), told("rigid", 10, 2, 30),
			ranged("wide", 15, 4, 25, 4, 8),
			ranged("brief", 20, 1, 6, 1, 4), ranged("last", 60, 2, 30, 1, 4)}}
}

// transcribed reports with which settings and in which story a policy is shown; a policy that is
// not here is shown with its defaults, in both stories.
func transcribed() map[string]struct {
	settings string
	of       func() story
} {
	type show = struct {
		settings string
		of       func() story
	}
	return map[string]show{
		"deepboot": {":interval=5", sizeStory}, "decima-like": {"", sizeStory}, "aset-like": {":every_s=16", queueStory},
		"ones":   {":epoch_s=8", sizeStory},
		"hived":  {":cells=left:machine*1/right:machine*1", cellStory},
		"antman": {":wait=5,period=4", togetherStory}, "schedtune": {"", togetherStory},
		"iadeep":  {":trial=1,iterations=5", togetherStory},
		"sjf-bco": {"", placeStory}, "gadget-like": {":slot=10,moves=near", sizeStory},
		"fifo": {"", queueStory}, "fifo-fit": {"", queueStory}, "sjf": {"", queueStory}, "sjf-bsbf": {"", queueStory},
		"sjf-ffs": {"", queueStory}, "srtf": {"", queueStory}, "srsf": {"", queueStory},
		"las": {":quantum_s=15", queueStory}, "deadline-first": {":admission=on", dueStory},
		"genie": {"", dueStory}, "easy": {"", queueStory},
		"gittins": {"", queueStory}, "qssf": {"", queueStory}, "qssf-ces": {":forecast=last,site=philly,tick_s=10," +
			"buffer=0", sleepStory}, "lucid": {":profile_s=10,sharing=always", placeStory},
		"horus": {"", queueStory}, "picked": {":order=sjf,backfill=fcfs", queueStory}, "conservative": {"", queueStory},
		"tiresias": {":queues=60,promote=2", queueStory}, "tiresias-gittins": {":queues=100", queueStory},
		"delay": {":wait_machine=6,wait_rack=8", placeStory}, "gandiva": {":quantum=20", moveStory},
		"gandiva-fair": {":quantum=20", moveStory}, "hadar": {":round=20,restart_s=2", queueStory},
		"hadare-like": {":round=20,restart_s=2", queueStory}, "typed": {":round=20,law_median_s=20,law_spread=1", queueStory},
		"consolidate": {"", placeStory},
		"scatter":     {"", placeStory}, "ffdl": {":poll_s=10", queueStory},
		"philly":       {":hold_s=6,backoff_s=4,tries_per_level=1", placeStory},
		"dally":        {":lease=40,min_rack=0.2,min_net=0.5", placeStory},
		"dally-manual": {":lease=40,t_rack=0.2,t_net=0.5", placeStory},
		"slurm":        {":calc_s=10,half_s=60", queueStory},
		"drf":          {":preempt=true", queueStory},
		"planned":      {":rollout=6,exact=true,epoch=0", queueStory},
		"ranked":       {":lease=40,median_s=20,spread=1,min_run=0.1,t_rack=0.2,t_net=0.5", queueStory},
		"dally-nowait": {":lease=40", placeStory}, "dally-consolidated": {":lease=40", placeStory},
		"dally-evict":   {":lease=40,min_run=0.1,order=las", queueStory},
		"dally-elastic": {":lease=40,rest=0.1", sizeStory}, "dally-shared": {":lease=40", togetherStory},
		"dally-links":     {":lease=40,min_rack=0.2,min_net=0.5,link_timers=2", placeStory},
		"dally-tenants":   {":lease=40,min_rack=0.2,min_net=0.5", placeStory},
		"artist-tiresias": {":lease=40", placeStory},
		"voda":            {":interval=5", sizeStory}, "afs-l": {"", sizeStory}, "afs-p": {"", sizeStory},
		"edl":   {":queue=60,compact=0", sizeStory},
		"allox": {"", queueStory}, "pal": {":round=10,queues=60", placeStory}, "similarity-like": {"", placeStory},
		"network-like": {"", placeStory}, "lwf": {"", placeStory}, "heet-like": {":round=10", placeStory},
		"elasticflow": {":slot_s=5", queueStory}, "sia": {":interval_s=10", queueStory},
		"powerflow": {":slot_s=5", sizeStory}, "lyra": {":slot_s=5", sizeStory},
		"muxflow": {"", queueStory}, "deepshare": {":rule=quiet", placeStory}, "marl-like": {":rule=fastest", placeStory},
		"harmony-like": {"", placeStory},
		"dl2":          {"", sizeStory},
	}
}

// byLevel slows jobs down by how far they are spread: not within a machine, 0.8 in a rack, 0.5
// beyond.
type byLevel struct{ top *cluster.Topology }

func (s byLevel) Speed(q *sim.Query) (sim.Speed, error) {
	f := [...]float64{1, 1, 1, .8, .5}[s.top.LevelOf(q.GPUs)]
	return sim.Speed{Rate: float64(float64(len(q.GPUs)) * f), ComputeFrac: f}, nil
}

// transcript is the text of a policy's file: what is run, and what happened.
func transcript(e baselines.Entry, settings string, s story) (string, error) {
	w, err := sim.NewWorkload(s.name, s.jobs)
	if err != nil {
		return "", err
	}
	top, err := cluster.New(cluster.Uniform(s.shape[0], s.shape[1], s.shape[2], 1))
	if err != nil {
		return "", err
	}
	_, build, err := schedulers.All().Parse(e.Name+settings, cluster.BestFit)
	if err != nil {
		return "", err
	}
	p, err := build()
	if err != nil {
		return "", err
	}
	costs := sim.Costs{Checkpoint: sim.Cost{FixedS: 1}, Restore: sim.Cost{FixedS: 2}, Migrate: sim.Cost{FixedS: 1}}
	rows, err := simtest.Transcript(sim.Config{Workload: w, Topology: top, Speed: byLevel{top}, Costs: costs,
		History: s.history, Check: true}, p)
	if err != nil {
		return rows, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s: %s\n\n", e.Name, settings, e.Doc)
	head := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(head, "story\t%s\n", s.name)
	fmt.Fprintf(head, "cluster\t%dx%dx%d (racks x machines x GPUs); machine 0 has GPUs 0-%d\n", s.shape[0], s.shape[1],
		s.shape[2], s.shape[2]-1)
	fmt.Fprintf(head, "speed\t1 within a machine, 0.8 within a rack, 0.5 beyond\n")
	fmt.Fprintf(head, "costs\tcheckpoint 1s, restore 2s, migrate 1s\n")
	for i, j := range s.jobs {
		bounds := ""
		if lo, hi := j.Range(); lo < hi {
			bounds = fmt.Sprintf(", runs on %d to %d", lo, hi)
		}
		if j.Deadline > 0 {
			bounds += fmt.Sprintf(", due at %v", j.Deadline)
		}
		fmt.Fprintf(head, "%s\t%s: at %v, %d GPUs for %v%s\n", []string{"jobs", ""}[min(i, 1)], j.ID, j.Submit, j.GPUs,
			j.Work/sim.Time(j.GPUs), bounds)
	}
	head.Flush()
	return b.String() + "\n" + rows, nil
}

// Each policy of the catalogue has a transcript to read beside its hashes: a small run, with the
// time, the event and the decision. A new policy gets one by the same flag; add it to transcribed
// if its defaults show little.
func TestTranscripts(t *testing.T) {
	const dir, again = "testdata/transcripts", "go test ./baselines -run TestTranscripts -update"
	named := map[string]bool{}
	for _, e := range schedulers.All() {
		named[e.Name+".txt"] = true
		t.Run(e.Name, func(t *testing.T) {
			show, ok := transcribed()[e.Name]
			stories := []func() story{show.of}
			if !ok {
				stories = []func() story{queueStory, placeStory}
			}
			var parts []string
			for _, of := range stories {
				text, err := transcript(e, show.settings, of())
				if err != nil {
					t.Fatalf("%v after\n%s", err, text)
				}
				parts = append(parts, text)
			}
			compareText(t, filepath.Join(dir, e.Name+".txt"), strings.Join(parts, "\n"), again)
		})
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !named[f.Name()] {
			t.Errorf("%s is the transcript of no policy of the catalogue: remove it", filepath.Join(dir, f.Name()))
		}
	}
}

// compareText compares a text with the file that holds it, or rewrites the file with -update. The
// failure names the first line that differs and the command that rewrites the file.
func compareText(t *testing.T, file, got, again string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; write it with: %s", err, again)
	}
	if line, a, b := firstDifference(got, string(want)); line > 0 {
		t.Errorf("%s:%d:\n got %q\nwant %q\nif the decisions should change, rewrite it with: %s", file, line, a, b,
			again)
	}
}

// firstDifference is the number of the first line in which two texts differ, from 1, and what each
// has there; 0 = none.
func firstDifference(a, b string) (line int, inA, inB string) {
	if a == b {
		return 0, "", ""
	}
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(as), len(bs)) {
		inA, inB = "(the text has ended)", "(the text has ended)"
		if i < len(as) {
			inA = as[i]
		}
		if i < len(bs) {
			inB = bs[i]
		}
		if inA != inB {
			return i + 1, inA, inB
		}
	}
	return 0, "", "" // not reached: texts with the same lines are the same
}

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct {
		a, b, want string
	}{
		{"", "", `0 "" ""`},
		{"x\ny", "x\ny", `0 "" ""`},
		{"x\ny\n", "x\nz\n", `2 "y" "z"`},
		{"x\n", "x\ny\n", `2 "" "y"`},
		{"x\ny\nz", "x\ny", `3 "z" "(the text has ended)"`},
	} {
		line, a, b := firstDifference(c.a, c.b)
		if got := fmt.Sprintf("%d %q %q", line, a, b); got != c.want {
			t.Errorf("%q and %q: %s, expected %s", c.a, c.b, got, c.want)
		}
	}
}
