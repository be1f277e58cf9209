package jobfile

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/recorded"
	"tarry/traces/jobcell"
)

func sample(t *testing.T, n int) *sim.Workload {
	t.Helper()
	jobs := make([]sim.Job, n)
	for i := range jobs {
		jobs[i] = sim.Job{
			ID: "j" + string(rune('a'+i%26)) + strings.Repeat("x", i/26), Submit: sim.Time(i * 7), GPUs: 8, MinGPUs: 1,
			MaxGPUs: 16,
			Work:    sim.Time(1 + i), Iterations: 1 << 40, IterS: 0.1 + float64(i), Model: "VGG-16", User: "ü",
			Group: "g", Request: 3 * sim.Second, VC: "a,b\n\"c\"", GPUType: "V100", State: "Pass",
			Deadline: 99, CPUMilli: 5, MemMiB: 6, Priority: -7, Drawn: origin.Model | origin.Deadline,
		}
		if i%3 == 1 {
			jobs[i].Record = &recorded.Run{Wait: int64(i - 1), Machines: []string{"", "m1*4,m2"}[i%2]}
		}
	}
	w, err := sim.NewWorkload("sample", jobs, origin.Origin{Field: "model", Source: "drawn"})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func readAll(data []byte) (w sim.Workload, err error) {
	err = ReadJobs(bytes.NewReader(data), jobsInto(func(h Head) { w.Name, w.Origins = h.Name, h.Origins },
		func(row int, j *sim.Job, faults []jobcell.Fault) error {
			w.Jobs = append(w.Jobs, *j)
			return nil
		}))
	return w, err
}

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{1, 30, 1000} {
		w := sample(t, n)
		var b bytes.Buffer
		if err := WriteJobs(&b, w); err != nil {
			t.Fatal(err)
		}
		got, err := readAll(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&got, w) {
			t.Fatalf("%d jobs: wrote %+v, read %+v", n, w.Jobs[0], got.Jobs[0])
		}
		var again bytes.Buffer
		if err := WriteJobs(&again, w); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Error("writing twice gave different bytes")
		}
	}
}

// A field that sim.Job gains must gain a column.
func TestEveryFieldHasAColumn(t *testing.T) {
	j := sim.Job{Record: &recorded.Run{}}
	fields := reflect.ValueOf(&j).Elem()
	reached := map[any]bool{&j.Drawn: true, &j.Record: true} // each has columns of its own kind
	for _, c := range jobColumns() {
		switch {
		case c.text != nil:
			reached[c.text(&j)] = true
		case c.time != nil:
			reached[c.time(&j)] = true
		case c.wide != nil:
			reached[c.wide(&j)] = true
		case c.real != nil:
			reached[c.real(&j)] = true
		case c.int != nil:
			reached[c.int(&j)] = true
		}
	}
	if !reached[&j.Record.Machines] || *start(&j) != 0 || *start(&sim.Job{}) != -1 {
		t.Errorf("a record has no columns")
	}
	for i := range fields.NumField() {
		if !reached[fields.Field(i).Addr().Interface()] {
			t.Errorf("the field %s of a job has no column", fields.Type().Field(i).Name)
		}
	}
}

func TestDamagedFilesAreErrors(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJobs(&b, sample(t, 200)); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for n := 0; n < len(whole); n += 97 {
		if _, err := readAll(whole[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were read without an error", n, len(whole))
		}
	}
	for at := 0; at < len(whole); at += 13 {
		bad := bytes.Clone(whole)
		bad[at] ^= 0x55
		readAll(bad) // an error or other values, but never a panic
	}
}
