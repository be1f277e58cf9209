package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tarry/output/results"
)

// writeTyped writes the trials of two policies on 2 v100 and 1 k80, or on 3 v100.
func writeTyped(t *testing.T, config string) string {
	t.Helper()
	dir := t.TempDir()
	meta := results.NewMeta(config, "w", "v1")
	for i, policy := range []string{"a", "b"} {
		keys := results.Keys{Policy: policy, Trace: "x", Cluster: "v100:1x1x2+k80:1x1x1", Speed: "gavel:DIR",
			Placement: "best-fit"}
		span := func(start, end, rate float64, gpus string, share int64) results.Interval {
			return results.Interval{Keys: keys, Job: "j", Start: start, End: end, Rate: rate, GPUList: gpus,
				ShareMilli: share, Tier: "machine", Reason: "finish"}
		}
		spans := []results.Interval{span(0, 3600, 1.5, "0-1", 1000), span(0, 3600, 0.25, "2", 500),
			span(3600, 7200, 0.8, "1-2", 1000), span(7200, 7200, 0, "0", 1000)}
		part := results.Partition{{Key: "policy", Value: policy}, {Key: "replicate", Value: "0"}}
		put(t, part.Target(dir, "intervals", meta), spans[:len(spans)-i])
		put(t, part.Target(dir, "jobs", meta), []results.Job{{Keys: keys, ID: "j", GPUs: 1, JCT: 7200}})
		put(t, part.Target(dir, "trials", meta), []results.Trial{{Keys: keys,
			Summary: results.Summary{Jobs: 1, Finished: 1, Makespan: 14400, WorkloadSHA256: "w"}}})
	}
	return dir
}

const twoTypes = `{"cluster":{"racks":[{"count":1,"machines":[{"Count":1,"GPUs":2,"Type":"v100"}]},{"count":1,"machines":[{"Count":1,"GPUs":1,"Type":"k80"}]}]}}`

// TestGPUTypes: sums by type, worked out by hand: 2 h on each v100 but one half of it on GPU 0, 0.5
// h and 1 h on the k80.
func TestGPUTypes(t *testing.T) {
	for name, config := range map[string]string{"by the configuration": twoTypes, "by the name": ""} {
		p := read(t, writeTyped(t, config), Options{})
		i := slices.IndexFunc(p.Tables, func(t table) bool { return t.ID == "types" })
		if i < 0 {
			t.Fatalf("%s: no table of types", name)
		}
		var got []string
		for _, row := range p.Tables[i].Rows {
			got = append(got, fmt.Sprintf("%s %v %s %v %v %.4v %.4v", row[0].Text, *row[1].V, row[2].Text, *row[3].V,
				*row[4].V, float64(*row[5].V), float64(*row[6].V)))
		}
		// v100: held 2 + 1 GPU-hours of 8, work 1.5 + 0.4 h; k80: 0.5 + 1 of 4, work 0.25 + 0.4.
		want := []string{"a 1 v100 2 3 37.5 0.6333", "a 1 k80 1 1.5 37.5 0.4333", "b 1 v100 2 3 37.5 0.6333",
			"b 1 k80 1 1.5 37.5 0.4333"}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if tl := p.Timelines[0]; !slices.Equal(tl.Types, []string{"v100", "k80"}) {
			t.Errorf("%s: the timeline's machines are of types %q", name, tl.Types)
		}
	}
	one := `{"cluster":{"racks":[{"count":3,"machines":[{"Count":1,"GPUs":1,"Type":"v100"}]}]}}`
	p := read(t, writeTyped(t, one), Options{})
	if slices.ContainsFunc(p.Tables, func(t table) bool { return t.ID == "types" }) || p.Timelines[0].Types != nil {
		t.Error("a cluster of one type has a table of types")
	}
}

func TestTypesOfBrokenConfigurations(t *testing.T) {
	for _, config := range []string{"", "{", `{"cluster":{"racks":[{"count":1,"machines":[{"Count":-1,"GPUs":2}]}]}}`} {
		if got := typesOf(config, "no cluster"); got != nil {
			t.Errorf("%s: %v", config, got)
		}
	}
	var b byGPU
	b.add(&results.Interval{Start: 5, End: 4, Rate: 1}, []int32{1})
	b.add(&results.Interval{Start: 4, End: 5, Rate: math.NaN(), ShareMilli: 1000}, []int32{1})
	if got := b.byType([]string{"a", "b", "b"}); len(got) != 2 || got[1] != (typed{"b", 2, 1, 0}) {
		t.Errorf("%+v", got)
	}
}
