package digest

import (
	"context"
	"maps"
	"strings"

	"tarry/experiments/sweep"
	"tarry/output/results"
)

// TenantAxis names the axis of a book by tenant.
const TenantAxis = "tenant"

// tenantMark stands between the cell of a row and its tenant, in the keys of a book by tenant.
const tenantMark = "//" + TenantAxis + "="

// ByTenant is a part of the book with a row for each trial and each of its tenants, and the tenant
// as one more axis. It has what the table measures states of single tenants (docs/reference/tenants.md),
// each measure by its name, and none of the columns of trials. Seconds are shown in hours. Without
// the table it has no rows.
func (b *Book) ByTenant(ctx context.Context, d *sweep.Data) (*Book, error) {
	all, tenants := newGathered(), map[results.Keys][]string{}
	err := sweep.Scan(ctx, d, func(rows []results.Measure) error {
		for i := range rows {
			m := &rows[i]
			if m.Of == "" {
				continue
			}
			if m.Name == "tenant_jobs" {
				tenants[m.Keys] = append(tenants[m.Keys], m.Of)
			}
			all.put(m, withTenant(m.Keys, m.Of))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	part := *b
	part.rows, part.own = nil, nil
	part.d = tenantCells{b.d, map[results.Keys]sweep.Cell{}}
	for _, r := range b.rows {
		of := r.Keys
		for _, t := range tenants[of] {
			r.Keys = withTenant(of, t)
			part.rows = append(part.rows, r)
		}
	}
	return all.adding(&part), nil
}

// withTenant is the keys of a trial's row for one of its tenants.
func withTenant(k results.Keys, tenant string) results.Keys {
	k.Cell += tenantMark + tenant
	return k
}

// tenantCells are cells with the tenant as one more axis.
type tenantCells struct {
	Cells
	known map[results.Keys]sweep.Cell
}

// Cell implements Cells.
func (t tenantCells) Cell(k results.Keys) (sweep.Cell, bool) {
	if c, ok := t.known[k]; ok {
		return c, true
	}
	cell, tenant, found := strings.Cut(k.Cell, tenantMark)
	of := k
	of.Cell = cell
	c, ok := t.Cells.Cell(of)
	if !ok || !found {
		return c, ok
	}
	c.Axes = maps.Clone(c.Axes)
	if c.Axes == nil {
		c.Axes = map[string]string{}
	}
	c.Axes[TenantAxis], c.ID = tenant, k.Cell
	t.known[k] = c
	return c, true
}
