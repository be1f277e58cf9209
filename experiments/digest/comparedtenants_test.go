package digest

import (
	"testing"

	"tarry/output/results"
)

// Tenants are drawn where they are measured, those beside a private cluster where there are quotas;
// the drawn numbers are means over replicates.
func TestComparedTenants(t *testing.T) {
	row := func(name, of string, v float64) results.Measure {
		return results.Measure{Name: name, Of: of, Value: v}
	}
	all := []Contender{{Name: "a", Rows: make([]results.Summary, 2)}, {Name: "b", Rows: make([]results.Summary, 2)}}
	if f, err := comparedTenants(all); len(f) > 0 || err != nil {
		t.Errorf("%d pictures without measures (%v)", len(f), err)
	}
	for i := range all {
		for r := range 2 {
			all[i].Measures = append(all[i].Measures, []results.Measure{row("tenant_jobs", "x", 2),
				row("tenant_jobs", "y", 1), row("queue_mean_s", "x", float64(10*i+r)), row("queue_mean_s", "y", 7)})
		}
	}
	f, err := comparedTenants(all)
	if err != nil || len(f) != 1 || f[0].Name != "tenants" {
		t.Fatalf("%d pictures (%v)", len(f), err)
	}
	all[0].Measures[0] = append(all[0].Measures[0], row("excess_queue_mean_s", "y", 3))
	if f, err = comparedTenants(all); err != nil || len(f) != 2 || f[1].Name != "tenants_excess" {
		t.Fatalf("%d pictures with a private cluster (%v)", len(f), err)
	}
	for i := range 20 {
		all[0].Measures[0] = append(all[0].Measures[0], row("tenant_jobs", string(rune('A'+i)), float64(3+i)))
	}
	if names := tenantsOf(all); len(names) != mostTenants || names[0] != "I" {
		t.Errorf("tenants %v, expected the twelve with most jobs", names)
	}
}
