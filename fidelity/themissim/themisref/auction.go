// Package themisref compares partial-allocation auctions. A folder holds pairs of tables,
// NAMEbids.csv and NAMEoutcome.csv:
//
//	bids.csv      instance, app, gpus, value_at_0_1_2: a line per bidder; its value at 0, 1, .. GPUs, separated by spaces
//	outcome.csv   instance, gpus, proportional_fair_gpus, product_of_values, kept_fraction_c: by bidder, separated by spaces
//
// The split is to be equal, the product and the fractions to 1e-12, of the product relative.
package themisref

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tarry/baselines/themis/auction"
	"tarry/fidelity/reference"
)

const (
	auctionBids    = "bids.csv"
	auctionOutcome = "outcome.csv"
	auctionTol     = 1e-12
)

// outcomes are the files of auctions' outcomes that have bids beside them.
func outcomes(f *reference.Folder) (names []string) {
	for _, name := range f.Files {
		if head, ok := strings.CutSuffix(name, auctionOutcome); ok && slices.Contains(f.Files, head+auctionBids) {
			names = append(names, head)
		}
	}
	return names
}

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "themis-auction", Variants: []string{"themis-sim"}, Knows: isAuction,
		Compare: compareAuction}
}

func isAuction(f *reference.Folder) bool { return len(outcomes(f)) > 0 }

func compareAuction(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
	o := reference.Outcome{Unit: "of a product or fraction"}
	for _, head := range outcomes(f) {
		bids, err := readBids(filepath.Join(f.Dir, head+auctionBids))
		if err != nil {
			return o, err
		}
		r, err := reference.ReadRows(filepath.Join(f.Dir, head+auctionOutcome), "instance", "gpus",
			"proportional_fair_gpus",
			"product_of_values", "kept_fraction_c")
		if err != nil {
			return o, err
		}
		o.Reads(head + auctionBids)
		var a auction.Auction
		for row := range r.Cells {
			off, err := auctionOff(&a, bids, r, row)
			if !(off <= o.Worst) {
				o.Worst = off
			}
			if err == nil && !(off <= auctionTol) {
				err = fmt.Errorf("a product or fraction differs by %.3g", off)
			}
			if o.One("auctions", r.File, err == nil); err != nil {
				o.Short = append(o.Short, fmt.Sprintf("%s: instance %s: %v", head+auctionOutcome,
					r.Text(row, "instance"), err))
			}
		}
	}
	return o, ctx.Err()
}

// auctionOff runs the auction of a row and gives the largest difference.
func auctionOff(a *auction.Auction, bids map[string][][]float64, r *reference.Rows, row int) (float64, error) {
	tables := bids[r.Text(row, "instance")]
	gpus, err := r.Number(row, "gpus")
	if err != nil {
		return 0, err
	}
	split, err := reference.Numbers(r.Text(row, "proportional_fair_gpus"))
	if err != nil {
		return 0, err
	}
	kept, err := reference.Numbers(r.Text(row, "kept_fraction_c"))
	if err != nil {
		return 0, err
	}
	product, err := r.Number(row, "product_of_values")
	if err != nil {
		return 0, err
	}
	if len(tables) == 0 || len(split) != len(tables) || len(kept) != len(tables) || !(gpus >= 0 && gpus <= 1e6) {
		return 0, fmt.Errorf("%d bids, %d counts and %d fractions for %v GPUs, expected as many of each and "+
			"0..1e6 GPUs", len(tables), len(split), len(kept), gpus)
	}
	got := a.Run(tables, int(gpus))
	off := math.Abs(got.Product.Value()/product - 1)
	for i, c := range got.Kept {
		if float64(got.GPUs[i]) != split[i] {
			return off, fmt.Errorf("split %v, there %v", got.GPUs, split)
		}
		off = math.Max(off, math.Abs(c-kept[i]))
	}
	return off, nil
}

// readBids gives the tables of each instance in the order of the apps.
func readBids(file string) (map[string][][]float64, error) {
	r, err := reference.ReadRows(file, "instance", "app", "value_at_0_1_2")
	if err != nil {
		return nil, err
	}
	bids := map[string][][]float64{}
	for row := range r.Cells {
		name := r.Text(row, "instance")
		if app := r.Text(row, "app"); app != strconv.Itoa(len(bids[name])) {
			return nil, fmt.Errorf("%s: row %d: app %q of instance %s, expected %d", file, row+1, app, name,
				len(bids[name]))
		}
		values, err := reference.Numbers(r.Text(row, "value_at_0_1_2"))
		if err == nil {
			err = auction.Check([][]float64{values})
		}
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", file, row+1, err)
		}
		bids[name] = append(bids[name], values)
	}
	return bids, nil
}
