package hosts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
	"tarry/sim/stack"
)

// common is a speed model that follows the common rule of package speed, with exposed communication
// that depends on the number of GPUs.
type common struct{}

func (common) Speed(q *sim.Query) (sim.Speed, error) {
	exposed := 0.1 * float64(len(q.GPUs)-1)
	s := float64(q.ShareMilli) / 1000
	t := q.Batch/q.FreqFrac + exposed
	return sim.Speed{Rate: float64(len(q.GPUs)) * s * q.Batch / t, ComputeFrac: q.Batch / q.FreqFrac / t}, nil
}

func put(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func rule(t testing.TB, spec string) *Rule {
	t.Helper()
	r, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// topology has two machines of 8 GPUs with 24 cores and 500 GiB, in two sockets.
func topology(t testing.TB, slots int) *cluster.Topology {
	t.Helper()
	top, err := cluster.New(rule(t, "catalogue").Equip(cluster.Uniform(1, 2, 8, slots)))
	if err != nil {
		t.Fatal(err)
	}
	return top
}

func wrapped(t testing.TB, spec string, slots int) sim.SpeedModel {
	return stack.New(common{}, NewLayer(rule(t, spec), topology(t, slots), nil, ""))
}

// on asks about a job of a model on GPUs with a number of cores and GiB for each, 0 = its part.
func on(model string, cores, gib float64, gpus ...cluster.GPU) *sim.Query {
	return &sim.Query{Job: &sim.Job{ID: "a", Model: model, GPUs: int32(len(gpus))}, GPUs: gpus,
		Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1, CPUMilli: int32(cores * 1000),
			MemMiB: int32(gib * 1024)}}
}

func speed(t testing.TB, m sim.SpeedModel, q *sim.Query) sim.Speed {
	t.Helper()
	s, err := m.Speed(q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

const table = "model,cpus,mem_gib,throughput\nnet,2,10,100\nnet,2,50,120\nnet,6,10,150\nnet,6,50,400\nflat-1,1,1,7\n"

// Cases by hand. ResNet-50 needs 3.5 cores and reads 32 MiB/s of 128 GiB; ResNet-18 needs 7 and
// reads 96; a GPU has 60 MiB/s of storage, 3 cores and 62.5 GiB by its part.
func TestByHand(t *testing.T) {
	file := put(t, table)
	for _, c := range []struct {
		spec  string
		slots int
		q     *sim.Query
		rate  float64
	}{
		// its part is 3 of 3.5 cores
		{"catalogue", 1, on("resnet50", 0, 0, 0), 3 / 3.5},
		// 16.4 MiB/s are missing, and there
		{"catalogue", 1, on("resnet50", 4, 0, 0), 1},
		// 31.75 of 60 MiB/s
		{"catalogue", 1, on("resnet50", 12, 1, 0), 1},
		// a quarter is in memory
		{"catalogue:storage_mib_s=16", 1, on("resnet50", 12, 32, 0), 16. / (32 * .75)},
		// reads hold it up, not cores
		{"catalogue", 1, on("resnet18", 7, 16, 0), 60. / (96 * .875)},
		// two GPUs of a machine share a cache
		{"catalogue", 1, on("resnet18", 7, 16, 0, 1), 2 * 60. / (96 * .75)},
		// on two machines each has its own
		{"catalogue", 1, on("resnet18", 7, 16, 0, 8), 2 * 60. / (96 * .875)},
		// and the worse counts
		{"catalogue", 1, on("resnet18", 7, 16, 0, 1, 2, 8), 4 * 60. / (96 * .875)},
		// 9 cores
		{"catalogue", 1, on("alexnet", 3, 0, 0), 1. / 3},
		// 4.5 cores
		{"catalogue", 1, on("mobilenetv3-large", 3, 0, 0), 3 / 4.5},
		// 0.93 of 1 MiB/s is missing
		{"catalogue", 1, on("bert-large", 1, 1, 0), 1},
		// 2 / 1.1 within, 2 x 0.5 cores
		{"catalogue", 1, on("bert-large", 0.5, 15, 0, 1), 1},
		// half of 4.5 cores
		{"catalogue", 1, on("deepspeech2", 2.25, 56, 0), 0.5},
		// in no class
		{"catalogue", 1, on("dlrm", 0.1, 0.1, 0), 1},
		// the exchange hides the rest: 1.9 are delivered
		{"catalogue", 1, on("resnet50", 3.325, 0, 0, 1), 2 / 1.1},
		// the highest
		{"profile:" + file, 1, on("net", 6, 50, 0), 1},
		// in the middle of four
		{"profile:" + file, 1, on("net", 4, 30, 0), (100 + 120 + 150 + 400) / 4. / 400},
		// half of the fewest cores
		{"profile:" + file, 1, on("net", 1, 10, 0), 50. / 400},
		// below the first memory
		{"profile:" + file, 1, on("net", 2, 1, 0), 100. / 400},
		// beyond the last
		{"profile:" + file, 1, on("net", 60, 30, 0), (150 + 400) / 2. / 400},
		// nearest below
		{"profile:" + file + ",between=step", 1, on("net", 5, 49, 0), 100. / 400},
		// one row, as much as there is
		{"profile:" + file + ",between=step", 1, on("Flat 1 (batch size 3)", 0, 0, 0), 1},
		// not in the table
		{"profile:" + file, 1, on("other", 0.1, 0.1, 0), 1},
		// one socket
		{"catalogue:socket=0.9", 2, on("dlrm", 1, 1, 0, 1), 2 / 1.1},
		// two
		{"catalogue:socket=0.9", 2, on("dlrm", 1, 1, 3, 4), 0.9 * 2 / 1.1},
		// no sockets are stated
		{"catalogue:socket=0.9", 1, on("dlrm", 1, 1, 3, 4), 2 / 1.1},
		// two machines, one socket of each
		{"catalogue:socket=0.9", 2, on("dlrm", 1, 1, 3, 8), 2 / 1.1},
		// 14 cores of a socket's 12
		{"catalogue:socket=0.9,storage_mib_s=1e6", 2, on("deepspeech2", 3.5, 1, 0, 1, 2, 3), 4 * max(3, 3.15) / 4.5},
		// the other's cores do not help
		{"catalogue:socket=0.5,storage_mib_s=1e6", 2, on("deepspeech2", 3.5, 1, 0, 1, 2, 3), 4 * 3. / 4.5},
	} {
		if got := speed(t, wrapped(t, c.spec, c.slots), c.q).Rate; !near(got, c.rate) {
			t.Errorf("%s, %s with %d m cores and %d MiB on %v: rate %v, expected %v", c.spec, c.q.Job.Model,
				c.q.CPUMilli, c.q.MemMiB, c.q.GPUs, got, c.rate)
		}
	}
}

// The time that passes without data is not communication: of 2 GPUs at 2/1.1 with 0.1/1.1 of
// communication, at half of the rate a half as much.
func TestComputeFraction(t *testing.T) {
	q := on("deepspeech2", 2.045, 28, 0, 1) // 2 x 2.045/4.5 = 0.909 of 1.818
	got := speed(t, wrapped(t, "catalogue", 1), q)
	keep := got.Rate / (2 / 1.1)
	if want := 1 - keep*0.1/1.1; !near(got.ComputeFrac, want) || math.Abs(keep-0.5) > 1e-3 {
		t.Errorf("%+v, expected a compute fraction of %v", got, want)
	}
}

// specs are settings of each law.
func specs(t testing.TB) []string {
	file := put(t, table+strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(table,
		"model,cpus,mem_gib,throughput\n"), "net,", "resnet18,"), "flat-1", "flat-2"))
	return []string{"catalogue", "catalogue:socket=0.8", "catalogue:storage_mib_s=5,cpus=1", "profile:" + file,
		"profile:" + file + ",between=step,socket=0.7"}
}

func draw(r *rand.Rand) *sim.Query {
	var gpus []cluster.GPU
	for g := range cluster.GPU(16) {
		if r.IntN(4) == 0 {
			gpus = append(gpus, g)
		}
	}
	if gpus == nil {
		gpus = []cluster.GPU{cluster.GPU(r.IntN(16))}
	}
	q := on([]string{"resnet18", "resnet50", "bert", "deepspeech2", "net", "", "dlrm"}[r.IntN(7)], 0, 0, gpus...)
	q.ShareMilli, q.FreqFrac, q.Batch = 1+r.Int32N(1000), 0.5+r.Float64(), 0.5+r.Float64()
	q.CPUMilli, q.MemMiB = 1+r.Int32N(6000), 1+r.Int32N(64<<10)
	return q
}

// More CPU or memory never slows a job down, and no law makes one faster than the model within;
// with plenty of both it is that to the last bit.
func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, spec := range specs(t) {
		m := wrapped(t, spec, 2)
		held := 0
		for range 4000 {
			q := draw(r)
			got, within := speed(t, m, q), speed(t, common{}, q)
			if !(got.Rate > 0 && got.Rate <= within.Rate && got.ComputeFrac >= within.ComputeFrac &&
				got.ComputeFrac <= 1) {
				t.Fatalf("%s: %+v, within %+v", spec, got, within)
			}
			if got != within {
				held++
			}
			more := *q
			more.CPUMilli += r.Int32N(4000)
			more.MemMiB += r.Int32N(64 << 10)
			if s := speed(t, m, &more); s.Rate < got.Rate*(1-1e-14) {
				t.Fatalf("%s: %+v with %d m cores and %d MiB, %+v with %d and %d", spec, s, more.CPUMilli, more.MemMiB,
					got, q.CPUMilli, q.MemMiB)
			}
			if plenty := *q; !strings.Contains(spec, "socket") {
				plenty.CPUMilli, plenty.MemMiB = math.MaxInt32, math.MaxInt32
				if s := speed(t, m, &plenty); s != within {
					t.Fatalf("%s: %+v with plenty, within %+v", spec, s, within)
				}
			}
		}
		if held < 400 {
			t.Errorf("%s: only %d of 4000 jobs are held up", spec, held)
		}
	}
}

// Machines that state nothing have plenty; a job that asks for little has little all the same.
func TestUnstated(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 2, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	m := stack.New(common{}, NewLayer(rule(t, "catalogue"), top, nil, ""))
	if a, b := speed(t, m, on("resnet18", 0, 0, 0)), speed(t, m, on("resnet18", 3.5, 0, 0)); a.Rate != 1 ||
		b.Rate != 0.5 {
		t.Errorf("%+v and %+v", a, b)
	}
	if got := rule(t, "catalogue:cpus=0,mem_gib=0").Equip(cluster.Uniform(1, 1, 4,
		1)).Racks[0][0]; got.CPUMilli != 0 || got.MemMiB != 0 {
		t.Errorf("%+v", got)
	}
	spec := cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 4, CPUMilli: 7}}}}
	if got := rule(t, "catalogue").Equip(spec).Racks[0][0]; got.CPUMilli != 7 || got.MemMiB != 4*64000 ||
		spec.Racks[0][0].MemMiB != 0 {
		t.Errorf("%+v of %+v", got, spec)
	}
}

// Names of profiles and of their stand-in have the class of the profile.
func TestNames(t *testing.T) {
	top := topology(t, 1)
	for _, c := range []struct {
		model, other string
		rate         float64
	}{{"VGG", "", 3 / 3.5}, {"MobileNetV3", "", 2. / 3}, {"BERT", "", 1}, {"mine", "", 1}, {"", "", 1},
		{"mine", "ResNet50", 3 / 3.5}, {"ResNet-18 (batch size 64)", "", 3. / 7}} {
		m := stack.New(common{}, NewLayer(rule(t, "catalogue:storage_mib_s=1e6"), top, nil, c.other))
		if got := speed(t, m, on(c.model, 0, 0, 0)).Rate; !near(got, c.rate) {
			t.Errorf("%q with %q for others: %v, expected %v", c.model, c.other, got, c.rate)
		}
	}
}

// Marks and batches are the inner model's; the times of a step are as long as hosts make
// them.
func TestProgressPassesThrough(t *testing.T) {
	top := topology(t, 1)
	inner := simtest.Progressing(common{})
	p, within := sim.AsProgressive(stack.New(inner, NewLayer(rule(t, "catalogue"), top, nil, ""))),
		sim.AsProgressive(inner)
	q := on("deepspeech2", 2.25, 28, 0, 1)
	s, err := within.Speed(q)
	if err != nil {
		t.Fatal(err)
	}
	var want, got sim.Telemetry
	keep := 2 * 0.5 / s.Rate
	if !within.Telemetry(q, &want) || !p.Telemetry(q, &got) || p.Mark(q) != within.Mark(q) ||
		p.Batches(q.Job) != within.Batches(q.Job) {
		t.Errorf("mark %v", p.Mark(q))
	}
	if !near(got.StepS, want.StepS/keep) || got.LocalBatch != want.LocalBatch {
		t.Errorf("telemetry %+v, within %+v", got, want)
	}
}

func TestWrongSettings(t *testing.T) {
	for _, none := range []string{"", None} {
		if r, err := Parse(none); r != nil || err != nil {
			t.Errorf("%q: %v, %v", none, r, err)
		}
	}
	if got := Files("profile:x.csv,between=step"); !slices.Equal(got, []string{"x.csv"}) || Files("catalogue") != nil {
		t.Errorf("%v", got)
	}
	head := "model,cpus,mem_gib,throughput\n"
	for spec, want := range map[string]string{
		"catalog":                                    `unknown law "catalog", expected one of none, catalogue, profile; did you mean "catalogue"?`,
		"catalogue:socket=0,cpus=x,y=1":              `socket is "0", expected a number in 0.01..1`,
		"profile":                                    "file",
		"profile:" + put(t, head):                    "no rows, expected at least one",
		"profile:" + put(t, head+"a,1,1,0\n"):        "expected a number > 0",
		"profile:" + put(t, head+",1,1,1\n"):         "the name of a model",
		"profile:" + put(t, head+"a,1,1,1\na,1,1,2"): "has an earlier row, expected one",
		"profile:" + put(t, head+"a,1,1,1\na,2,2,2"): "model a: 2 rows for 2 numbers of cores and 2 of memory, " +
			"expected one for each combination",
		"profile:" + put(t, "model,cpus,throughput\n"): "mem_gib",
	} {
		if _, err := Parse(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", spec, err, want)
		}
	}
	for _, k := range Laws() {
		if len(k.Options()) < 4 {
			t.Errorf("%s has options %v", k.Name, k.Options())
		}
	}
}

// A row below the row of a smaller allocation counts as much as that.
func TestRowsRise(t *testing.T) {
	g, err := gridOf([]measured{{1, 1, 4}, {2, 1, 3}, {1, 2, 2}, {2, 2, 8}})
	if err != nil || fmt.Sprint(g.part) != "[0.5 0.5 0.5 1]" {
		t.Errorf("%v, %v", g.part, err)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	for _, spec := range specs(t) {
		m, q := wrapped(t, spec, 2), on("resnet18", 2, 30, 0, 1, 2, 9)
		if n := testing.AllocsPerRun(100, func() { _, _ = m.Speed(q) }); n > 0 {
			t.Errorf("%s: %v allocations", spec, n)
		}
	}
}

func BenchmarkSpeed(b *testing.B) {
	m, q := wrapped(b, "catalogue:socket=0.9", 2), on("resnet18", 2, 30, 0, 1, 2, 9)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Speed(q); err != nil {
			b.Fatal(err)
		}
	}
}
