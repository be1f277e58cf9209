package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// nameHeight is the height of a name beside a point.
const nameHeight = vg.Length(smallPt + 0.5)

// box is a rectangle of the plot.
type box struct{ min, max vg.Point }

// shared is the area that two boxes have in common.
func (b box) shared(o box) float64 {
	w := min(b.max.X, o.max.X) - max(b.min.X, o.min.X)
	h := min(b.max.Y, o.max.Y) - max(b.min.Y, o.min.Y)
	if w <= 0 || h <= 0 {
		return 0
	}
	return float64(w) * float64(h)
}

// crossed is the length of a line along an axis that lies in the box.
func (b box) crossed(p, q vg.Point) float64 {
	w := min(b.max.X, max(p.X, q.X)) - max(b.min.X, min(p.X, q.X))
	h := min(b.max.Y, max(p.Y, q.Y)) - max(b.min.Y, min(p.Y, q.Y))
	if w < 0 || h < 0 {
		return 0
	}
	return float64(max(w, h))
}

// tag is the place of a name, and of the point that it is the name of.
type tag struct {
	box
	at   vg.Point
	away vg.Length // from the point
	spot int
}

// What a place of a name costs: area over another name or over a point, length of a line below it,
// and distance from its point.
const (
	nameCost, pointCost, lineCost, awayCost = 1000, 40, 2, 0.8
	nameApart                               = vg.Length(1.2) // between a name and what it is not of
	rounds                                  = 4
)

// tags finds places for the names: each the cheapest beside its point in rounds, the front first.
// The order of the points, not chance, decides between equal places.
func (m *scatter) tags(c draw.Canvas, p *plot.Plot) []tag {
	tx, ty := p.Transforms(&c)
	short, style := m.f.shortNames(), legendStyle()
	var points []box
	for _, s := range m.spots {
		x, y := tx(s.x), ty(s.y)
		points = append(points, box{vg.Point{X: x - spotSize, Y: y - spotSize}, vg.Point{X: x + spotSize, Y: y + spotSize}})
	}
	lines := m.lines(c, p)
	var out []tag
	for _, front := range []bool{true, false} {
		for i, s := range m.spots {
			if s.front == front && s.name != "" {
				out = append(out, tag{spot: i, at: vg.Point{X: tx(s.x), Y: ty(s.y)}})
			}
		}
	}
	for round := range rounds {
		for i := range out {
			others := out // of the first round those before it
			if round == 0 {
				others = out[:i]
			}
			width := style.Width(short[m.spots[out[i].spot].name])
			best := math.Inf(1)
			for _, t := range places(out[i].at, width, c) {
				t.spot = out[i].spot
				if cost := t.cost(others, points, lines, i); cost < best {
					best, out[i] = cost, t
				}
			}
		}
	}
	return out
}

// places lists the places of a name in the plot: in sixteen directions, near ones first.
func places(at vg.Point, width vg.Length, c draw.Canvas) []tag {
	var out []tag
	for _, away := range []vg.Length{4, 8, 13, 19, 26, 34, 43, 54, 68, 85} {
		for k := range 16 {
			angle := float64(k) * math.Pi / 8
			x, y := at.X+away*vg.Length(math.Cos(angle)), at.Y+away*vg.Length(math.Sin(angle))
			// the box begins where the direction points, so that the point is outside of it
			x -= width / 2 * vg.Length(1-math.Cos(angle))
			y -= nameHeight / 2 * vg.Length(1-math.Sin(angle))
			b := box{vg.Point{X: x, Y: y}, vg.Point{X: x + width, Y: y + nameHeight}}
			if b.min.X >= c.Min.X+1 && b.max.X <= c.Max.X-1 && b.min.Y >= c.Min.Y+1 && b.max.Y <= c.Max.Y-1 {
				out = append(out, tag{box: b, at: at, away: away})
			}
		}
	}
	return out
}

// cost is what a place for name i costs.
func (t tag) cost(others []tag, points []box, lines [][2]vg.Point, i int) float64 {
	sum := awayCost * float64(t.away)
	for k, o := range others {
		if k != i {
			sum += nameCost * t.shared(o.box)
		}
	}
	room := box{t.min.Sub(vg.Point{X: nameApart, Y: nameApart}), t.max.Add(vg.Point{X: nameApart, Y: nameApart})}
	for _, b := range points {
		sum += pointCost * room.shared(b)
	}
	for _, l := range lines {
		sum += lineCost * room.crossed(l[0], l[1])
	}
	return sum
}

// lines are the bars of the points and the stair.
func (m *scatter) lines(c draw.Canvas, p *plot.Plot) [][2]vg.Point {
	tx, ty := p.Transforms(&c)
	var out [][2]vg.Point
	for _, s := range m.spots {
		if s.hasX {
			out = append(out, [2]vg.Point{{X: tx(max(s.xlo, p.X.Min)), Y: ty(s.y)}, {X: tx(min(s.xhi, p.X.Max)), Y: ty(s.y)}})
		}
		if s.hasY {
			out = append(out, [2]vg.Point{{X: tx(s.x), Y: ty(max(s.ylo, p.Y.Min))}, {X: tx(s.x), Y: ty(min(s.yhi, p.Y.Max))}})
		}
	}
	stair := m.stair(c, p)
	for i := 1; i < len(stair); i++ {
		out = append(out, [2]vg.Point{stair[i-1], stair[i]})
	}
	return out
}

// drawNames writes the names, with a line to a name that lies apart from its point.
func (m *scatter) drawNames(c draw.Canvas, p *plot.Plot) {
	short, style := m.f.shortNames(), legendStyle()
	for _, t := range m.tags(c, p) {
		if t.max.X == t.min.X {
			continue // wider than the plot
		}
		if near := t.nearest(); t.away > 8 {
			c.StrokeLine2(thin(0x90), t.at.X, t.at.Y, near.X, near.Y)
		}
		if style.Color = color.Color(color.Black); !m.spots[t.spot].front {
			style.Color = color.Gray{0x55}
		}
		c.FillText(style, vg.Point{X: t.min.X, Y: (t.min.Y + t.max.Y) / 2}, short[m.spots[t.spot].name])
	}
}

// nearest is the point of the box that is nearest to the point that it names.
func (t tag) nearest() vg.Point {
	return vg.Point{X: max(t.min.X, min(t.at.X, t.max.X)), Y: max(t.min.Y, min(t.at.Y, t.max.Y))}
}
