package digest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"tarry/experiments/sweep"
	"tarry/output/figure"
	"tarry/output/results"
)

// maxBlocks bounds what a timeline draws and holds; a picture of one column shows no more.
const maxBlocks = 4000

// Timeline draws who holds which GPU of a cell's cluster, coloured by the level of the placement:
// of the first cell that is done and that keep chooses, and there of the first policy and
// replicate. It reads the cell's table intervals in bounded memory. Where there are too many
// blocks, blocks with the least GPU-time are left out, and the title states how many.
func (b *Book) Timeline(ctx context.Context, name, caption string, keep func(c *sweep.Cell) bool) {
	f, err := b.timeline(ctx, caption, keep)
	b.add(name, caption, f, err)
}

func (b *Book) timeline(ctx context.Context, caption string, keep func(c *sweep.Cell) bool) (*figure.Figure, error) {
	d, ok := b.d.(*sweep.Data)
	if !ok {
		return nil, errors.New("there are no cells")
	}
	for _, folder := range d.Folders {
		for i := range folder.Len() {
			c, err := folder.Cell(i)
			if err != nil {
				return nil, err
			}
			if !d.Kept(&c) || !keep(&c) || folder.Status(i).State != sweep.Done {
				continue
			}
			blocks, left, err := blocks(ctx, filepath.Join(folder.CellDir(i), results.Interval{}.Table()))
			if err != nil {
				return nil, err
			}
			if left > 0 {
				caption = fmt.Sprintf("%s The %d shortest of %d blocks are left out.", caption, left, left+len(blocks))
			}
			gpus := 0
			for _, one := range blocks {
				gpus = max(gpus, one.GPU+one.Count)
			}
			return figure.Occupancy(caption, figure.Axis{Label: "time (h)"}, (gpus+7)/8*8,
				[]string{"gpu", "slot", "machine", "rack", "network"}, blocks)
		}
	}
	return nil, errors.New("no cell that it would show is done")
}

// blocks reads the intervals of a cell's first trial as blocks in order of start, and how many were
// left out.
func blocks(ctx context.Context, dir string) (out []figure.Block, left int, err error) {
	var first *results.Keys
	err = results.ScanDir(ctx, dir, func(rows []results.Interval) error {
		for i := range rows {
			r := &rows[i]
			if first == nil {
				k := r.Keys
				first = &k
			}
			if r.Keys != *first {
				continue
			}
			gpus, err := results.ParseGPUs[int32](r.GPUList)
			if err != nil {
				return fmt.Errorf("job %q: %w", r.Job, err)
			}
			for start := 0; start < len(gpus); {
				end := start + 1
				for end < len(gpus) && gpus[end] == gpus[end-1]+1 {
					end++
				}
				out = append(out, figure.Block{Start: r.Start / hour, End: r.End / hour, GPU: int(gpus[start]),
					Count: end - start, Kind: r.Tier, Label: r.Job})
				start = end
			}
		}
		if len(out) > 4*maxBlocks {
			left += len(out) - maxBlocks
			out = biggest(out)
		}
		return nil
	})
	if len(out) > maxBlocks {
		left += len(out) - maxBlocks
		out = biggest(out)
	}
	slices.SortStableFunc(out, func(a, b figure.Block) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.GPU, b.GPU))
	})
	return out, left, err
}

// biggest keeps the maxBlocks blocks with the most GPU-time.
func biggest(blocks []figure.Block) []figure.Block {
	area := func(b figure.Block) float64 { return float64((b.End - b.Start) * float64(b.Count)) }
	slices.SortStableFunc(blocks, func(a, b figure.Block) int {
		return cmp.Or(cmp.Compare(area(b), area(a)), cmp.Compare(a.Start, b.Start), cmp.Compare(a.GPU, b.GPU))
	})
	return blocks[:maxBlocks]
}
