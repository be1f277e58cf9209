package measured

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpen reads any three files: an error, or a table in which every throughput is a finite number
// >= 0 and a pair has two.
func FuzzOpen(f *testing.F) {
	const pairs = "type_a,type_b,scale_factor_a,scale_factor_b,gpu_type,steps_per_s_a,steps_per_s_b\n"
	f.Add(isolated, pairs+"0,1,1,1,v100,50,3\n", "type_id,job_type\n0,A3C\n1,LM (batch size 5)\n")
	f.Add(isolated, pairs+"A3C,A3C,1,1,k80,0,0\n", "")
	f.Add("job_type,scale_factor,gpu_type,steps_per_s\na,1,x,1e309\n", "", "")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, alone, beside, names string) {
		for i, text := range []string{alone, beside, names} {
			path := filepath.Join(dir, Files()[i])
			if text == "" {
				if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		table, err := Open(dir)
		if err != nil {
			return
		}
		good := func(v float64) bool { return v >= 0 && !math.IsInf(v, 0) }
		for _, typ := range table.Types() {
			for _, gpus := range table.GPUs() {
				for _, name := range table.Models() {
					if v, _ := table.StepsPerS(name, gpus, typ); !good(v) {
						t.Errorf("%q on %d of %q has %v steps per second", name, gpus, typ, v)
					}
					if a, b, _ := table.PairStepsPerS(name, name, gpus, typ); !good(a) || !good(b) {
						t.Errorf("%q beside itself on %d of %q: %v and %v", name, gpus, typ, a, b)
					}
				}
			}
		}
	})
}
