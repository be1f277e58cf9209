package batsim

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"tarry/sim/account"
	"tarry/sim/entry"
	"tarry/sim/network"
	"tarry/sim/preset"
	"tarry/sim/tabular"
	"tarry/traces/nodes"
)

// Platform reads the platform at path as a cluster.
func Platform(path string, opt entry.ClusterOptions) (preset.Cluster, *account.Report, error) {
	return nodes.File(path, opt, readPlatform)
}

// FitsPlatform recognises a platform.
func FitsPlatform(h *entry.Head) bool {
	return strings.HasPrefix(h.Line(), "<") && strings.Contains(h.Text, "<platform")
}

// The bounds of a platform.
const (
	maxHosts = 1 << 20
	maxNest  = 1 << 10
)

// hosts are one host or the hosts of a cluster, with what stands inside the element.
type hosts struct {
	element string
	names   []string
	line    int
	rack    string
	role    string
	// bw and lat are the links of the hosts of a cluster as the file writes them.
	bw, lat, speed string
}

type platform struct {
	l     *nodes.List
	all   []hosts
	zones []string // that are open
	seen  int      // zones in all
	count int
	// open is the host or cluster inside of which the reader is; nil = none.
	open *hosts
}

func readPlatform(in *tabular.Stream, l *nodes.List) error {
	p := &platform{l: l}
	dec := xml.NewDecoder(in)
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	depth, root := 0, ""
	for {
		tok, err := dec.Token()
		line, _ := dec.InputPos()
		switch {
		case err == io.EOF && root == "":
			return fmt.Errorf("%s:1: the file is empty, expected <platform>", l.Name())
		case err == io.EOF:
			return p.add()
		case err != nil:
			return fmt.Errorf("%s:%d: %w", l.Name(), line, err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			if depth++; depth > maxNest {
				return fmt.Errorf("%s:%d: more than %d elements inside one another", l.Name(), line, maxNest)
			}
			if root == "" && e.Name.Local != "platform" {
				return fmt.Errorf("%s:%d: the file starts with <%s>, expected <platform>", l.Name(), line, e.Name.Local)
			}
			root = "platform"
			if err := p.start(e, line); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
			p.end(e.Name.Local)
		}
	}
}

// start takes the beginning of an element.
func (p *platform) start(e xml.StartElement, line int) error {
	at := map[string]string{}
	for _, a := range e.Attr {
		at[a.Name.Local] = a.Value
	}
	switch name := e.Name.Local; name {
	case "zone", "AS":
		p.seen++
		p.zones = append(p.zones, fmt.Sprintf("zone %s %d", at["id"], p.seen))
	case "prop":
		if p.open != nil && at["id"] == "role" {
			p.open.role = at["value"]
		}
	case "host":
		rack := "platform"
		if n := len(p.zones); n > 0 {
			rack = p.zones[n-1]
		}
		return p.begin(hosts{element: name, names: []string{at["id"]}, line: line, rack: rack, speed: at["speed"]})
	case "cluster", "cabinet":
		h := hosts{element: name, line: line, rack: fmt.Sprintf("%s %s %d", name, at["id"], len(p.all)), bw: at["bw"],
			lat: at["lat"], speed: at["speed"]}
		for part := range strings.SplitSeq(at["radical"], ",") {
			numbers, err := nodes.Span(part)
			if err != nil || p.count+len(h.names)+len(numbers) > maxHosts {
				return errors.Join(p.l.Fault(line, "radical", at["radical"], "numbers and ranges such as 0-7,10, of at most "+
					fmt.Sprint(maxHosts)+" hosts"), p.begin(hosts{element: name, line: line}))
			}
			for _, n := range numbers {
				h.names = append(h.names, at["prefix"]+n+at["suffix"])
			}
		}
		return p.begin(h)
	}
	return nil
}

// begin opens a host or cluster, inside of which its properties stand.
func (p *platform) begin(h hosts) error {
	if p.count += len(h.names); p.count > maxHosts {
		return fmt.Errorf("%s:%d: more than %d hosts, expected fewer", p.l.Name(), h.line, maxHosts)
	}
	p.all = append(p.all, h)
	p.open = &p.all[len(p.all)-1]
	return nil
}

func (p *platform) end(name string) {
	switch name {
	case "zone", "AS":
		if n := len(p.zones); n > 0 {
			p.zones = p.zones[:n-1]
		}
	case "host", "cluster", "cabinet":
		p.open = nil
	}
}

// left is why hosts run no jobs; "" = they do. Batsim's own name of the master's host is
// master_host.
func (h *hosts) left() string {
	role := strings.ToLower(h.role)
	switch {
	case strings.Contains(role, "compute"):
		return ""
	case strings.Contains(role, "master") || role == "" && len(h.names) == 1 &&
		strings.HasPrefix(h.names[0], "master_host"):
		return "the host is the master's"
	case strings.Contains(role, "storage"):
		return "the host is storage"
	}
	return ""
}

// add gives the hosts to the list, and their links as its network.
func (p *platform) add() error {
	speeds, links := map[string]bool{}, map[[2]string]bool{}
	for _, h := range p.all {
		if why := h.left(); why != "" {
			for range h.names {
				p.l.Skip(h.line, why)
			}
			continue
		}
		speeds[h.speed] = true
		links[[2]string{h.bw, h.lat}] = true
		for _, name := range h.names {
			n := nodes.Node{Name: name, Line: h.line, Rack: h.rack, GPUs: []nodes.GPUs{{Count: 1}}}
			if err := p.l.Add(n); err != nil {
				return err
			}
		}
	}
	p.l.Note("a host is a machine of one GPU; its number of cores is not read")
	if len(speeds) > 1 {
		p.l.Note("hosts have %d speeds, which are not read: the jobs state run times", len(speeds))
	}
	if len(links) != 1 {
		return nil
	}
	for link := range links {
		return p.network(link[0], link[1])
	}
	return nil
}

// network states the link that every host of the clusters has.
func (p *platform) network(bw, lat string) error {
	if bw == "" {
		return nil
	}
	line := p.all[0].line
	for _, h := range p.all {
		if h.bw == bw && h.lat == lat {
			line = h.line
			break
		}
	}
	rate, ok := gbps(bw)
	if !ok || rate < 1e-9 || rate > 1e9 {
		return p.l.Fault(line, "bw", bw, "a bandwidth such as 125MBps or 1Gbps")
	}
	ns, ok := latency(lat)
	if !ok {
		return p.l.Fault(line, "lat", lat, "a time such as 50us")
	}
	f := preset.NVLinkFabric()
	for level := range f.Links {
		f.Links[level] = network.Link{Kind: network.KindSwitch, GBps: rate, LatencyNS: ns}
	}
	p.l.Network(f, fmt.Sprintf("every host has a link of %s and %s to a switch, as the file states; backbones, links "+
		"between clusters and routes are not read", bw, lat))
	return nil
}
