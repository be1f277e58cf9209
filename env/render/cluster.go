package render

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"tarry/sim"
	"tarry/sim/cluster"
)

// counts reports how full a cluster is.
func counts(v *sim.View) string {
	busy := 0
	for g := range v.Topology().GPUs() {
		if v.Owner(cluster.GPU(g)) != sim.NoJob {
			busy++
		}
	}
	return fmt.Sprintf("GPUs busy %d of %d, jobs running %d, waiting %d", busy, v.Topology().GPUs(), len(v.Running()),
		v.Waiting())
}

// letters name jobs in text: jobs whose numbers differ by a multiple of 52 have the same.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// clusterLines has a line per machine, a character per GPU: the letter of its job, or a point where
// it is free.
func clusterLines(v *sim.View) []string {
	lines, top := []string{counts(v)}, v.Topology()
	for rack := range top.Racks() {
		lo, hi := top.RackMachines(rack)
		for m := lo; m < hi; m++ {
			var row strings.Builder
			fmt.Fprintf(&row, "rack %d machine %d ", rack, m)
			first, end := top.MachineGPUs(m)
			for g := first; g < end; g++ {
				if j := v.Owner(g); j == sim.NoJob {
					row.WriteByte('.')
				} else {
					row.WriteByte(letters[int(j)%len(letters)])
				}
			}
			lines = append(lines, row.String())
		}
	}
	return append(lines, "a letter is a job, a point is a free GPU")
}

// The measures of a cluster, in pixels.
const (
	cell        = 12 // a GPU with its gap
	gap         = 2
	rackGap     = 10
	widest      = 900
	queueHeight = 66
	queued      = 64 // waiting jobs that are shown
)

// caption stands above the waiting jobs.
const caption = "waiting jobs, in the order of their submits; height: log of GPUs"

// free is the colour of a GPU without a job.
func free() color.RGBA { return color.RGBA{225, 225, 225, 255} }

// colour returns a job's colour: neighbours in number differ much.
func colour(j sim.JobID) color.RGBA {
	const turn = 61 // of 96: near the golden section, without a common factor
	hue := int(j) % 96 * turn % 96
	level := 150 + 30*(int(j)/96%3)
	part := func(at int) uint8 {
		d := (hue - at + 96) % 96
		d = min(d, 96-d) // 0 to 48
		return uint8(level * max(0, min(32, 48-d)) / 32 * 5 / 6)
	}
	return color.RGBA{20 + part(0), 20 + part(32), 20 + part(64), 255}
}

// clusterPicture has a block per rack with a row per machine and a square per GPU in the colour of
// its job, and below a bar per waiting job whose height is the logarithm of its GPUs.
func clusterPicture(v *sim.View, lines []string) *image.RGBA {
	lines = append(lines, counts(v))
	top := v.Topology()
	wide, high := rackSize(top)
	across := max(1, min(top.Racks(), (widest-2*margin)/(wide*cell+rackGap)))
	down := (top.Racks() + across - 1) / across
	y := margin + len(lines)*lineHeight + lineHeight/2
	width := max(textWidth, across*(wide*cell+rackGap), queued*cell/2) + 2*margin
	p := canvas(width, y+down*(high*cell+rackGap)+queueHeight+lineHeight+margin)
	write(p, margin, lines)
	for rack := range top.Racks() {
		left, above := margin+rack%across*(wide*cell+rackGap), y+rack/across*(high*cell+rackGap)
		drawRack(p, v, rack, left, above)
	}
	y += down * (high*cell + rackGap)
	drawQueue(p, v, write(p, y, []string{caption}))
	return p
}

// rackSize is the most GPUs of a machine and the most machines of a rack.
func rackSize(top *cluster.Topology) (wide, high int) {
	for m := range top.Machines() {
		first, end := top.MachineGPUs(m)
		wide = max(wide, int(end-first))
	}
	for rack := range top.Racks() {
		lo, hi := top.RackMachines(rack)
		high = max(high, hi-lo)
	}
	return wide, high
}

func drawRack(p *image.RGBA, v *sim.View, rack, left, above int) {
	lo, hi := v.Topology().RackMachines(rack)
	for m := lo; m < hi; m++ {
		first, end := v.Topology().MachineGPUs(m)
		for g := first; g < end; g++ {
			c := free()
			if j := v.Owner(g); j != sim.NoJob {
				c = colour(j)
			}
			box(p, left+int(g-first)*cell, above+(m-lo)*cell, cell-gap, cell-gap, c)
		}
	}
}

func drawQueue(p *image.RGBA, v *sim.View, y int) {
	x := margin
	for j := range v.NumJobs() {
		id := sim.JobID(j)
		if v.Run(id).State() != sim.Waiting {
			continue
		}
		if x >= margin+queued*cell/2 {
			return
		}
		high := 3
		for n := v.Job(id).GPUs(); n > 1; n /= 2 {
			high += 7 // twice the GPUs
		}
		high = min(high, queueHeight)
		box(p, x, y+queueHeight-high, cell/2-1, high, colour(id))
		x += cell / 2
	}
}
