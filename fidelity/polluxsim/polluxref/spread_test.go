package polluxref

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSpread: one job by itself, which Pollux gives one GPU at first, under every setting
// that is modelled; its means are in the published order.
func TestSpread(t *testing.T) {
	const jobs = "name,time,application,num_replicas,batch_size\ncifar10-0,107,cifar10,6,2048\n"
	const published = "policy,load,workload,job,jct_s\n"
	const means = "policy,setting,workload,jobs,mean_jct_s\npollux,load1.0,9,1,900\ntiresias,load1.0,9,1,2000\n" +
		"optimus,load1.0,9,1,MEAN\npollux,pollux-2m,9,1,1000\npollux,inter25,9,1,1\npollux,pollux-1m,9,1,1\n"
	root, shared := polluxFolder(t, map[string]string{"theirs/authors_means.csv": strings.Replace(means, "MEAN",
		"3000", 1), "theirs/workload-9.csv": jobs, "theirs/authors_jct.csv": published})
	var out strings.Builder
	if err := Spread(t.Context(), setup(shared), filepath.Join(root, "theirs"), 2, nil, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "| load1.0 | 9 | 900.0 | ") ||
		!strings.HasPrefix(lines[3], "| pollux-2m | 9 | 1000.0 | ") {
		t.Errorf("%s", out.String())
	}
	out.Reset()
	if err := Spread(t.Context(), setup(shared), filepath.Join(root, "theirs"), 1, []string{"pollux-2m"},
		&out); err != nil || strings.Count(out.String(), "\n") != 3 {
		t.Errorf("%v: %s", err, out.String())
	}
	if mean, deviation, least, most := spread([]float64{1, 2, 3}); mean != 2 || deviation != 1 || least != 1 ||
		most != 3 {
		t.Errorf("1, 2 and 3 have mean %v and deviation %v from %v to %v", mean, deviation, least, most)
	}
}
