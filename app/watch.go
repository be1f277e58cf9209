package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"tarry/output/live"
	"tarry/output/report"
)

func (from program) watchCommand() *cli.Command {
	return &cli.Command{
		Name:      "watch",
		Usage:     "serve the page of tarry report on this machine, live while a run or a sweep is under way",
		UsageText: "tarry watch runs/demo\ntarry watch --port 8080 runs/demo",
		Description: "Prints the address to open in a browser and serves until Ctrl-C (exit code 130). The page " +
			"asks every two seconds whether\n" +
			"the folder has changed; a folder that has not is not read again. A folder that does not exist yet is " +
			"waited for.\n" +
			"Trials of simulate, compare and eval are replayed while they run: the page marks the folder with a " +
			"hidden folder\n" +
			".live, and each trial then writes its placements there every 64 instants; both go at the end, and the " +
			"tables are\n" +
			"the same. Cells of a sweep appear when they end. Only this machine can reach it; --expose allows " +
			"another address of --listen, and then everyone who can\n" +
			"reach that address reads the folder's results.",
		ArgsUsage: "FOLDER",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "port", Usage: "listen on port `N`, 0 = any that is free"},
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1", Usage: "listen on `ADDRESS`"},
			&cli.BoolFlag{Name: "expose", Usage: "allow an address that other machines can reach"},
			firstFlag(),
			timelinesFlag(),
		},
		OnUsageError: onUsageError,
		Action:       anyOrder(from.watch),
	}
}

func (from program) watch(c *cli.Context) error {
	dir, err := folderArgument(c)
	if err != nil {
		return err
	}
	address, port := c.String("listen"), c.Int("port")
	if port < 0 || port > 65535 {
		return usageError{fmt.Errorf("--port: %d, expected 0..65535", port)}
	}
	if !c.Bool("expose") && !onlyHere(address) {
		return usageError{fmt.Errorf("--listen: other machines can reach %q, expected 127.0.0.1, ::1 or localhost; "+
			"--expose allows it", address)}
	}
	opt := from.reportOptions(c, dir)
	opt.Wait, opt.Now = true, time.Now
	r := report.NewReader(dir, opt)
	waiting, err := r.Waiting(c.Context)
	if err != nil { // a wrong folder is reported here, not in the browser
		return askedWrongly(err)
	}
	var listen net.ListenConfig
	l, err := listen.Listen(c.Context, "tcp", net.JoinHostPort(address, strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	handler := r.Handler()
	if !c.Bool("expose") {
		handler = ownHost(handler)
	}
	if _, err := fmt.Fprintf(c.App.Writer, "http://%s/\n", l.Addr()); err != nil {
		l.Close()
		return err
	}
	if waiting {
		note(c, "waiting for %s, which does not exist yet or holds no results yet; the page fills by itself", dir)
	}
	note(c, "serving %s; Ctrl-C ends it", dir)
	defer live.Unwatch(dir)
	return serve(c.Context, l, handler)
}

// serve answers until ctx ends; then answers under way have a moment to finish. It ends as every
// command that is interrupted does, with the code for that.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace/2)
	defer cancel()
	if err := s.Shutdown(last); err != nil {
		s.Close() // who still reads is cut off
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return codeError{errors.New("interrupted: the server has ended"), exitInterrupted}
}

// onlyHere reports whether only this machine reaches an address.
func onlyHere(address string) bool {
	if address == "localhost" {
		return true
	}
	ip := net.ParseIP(address)
	return ip != nil && ip.IsLoopback()
}

// ownHost refuses requests made in the name of another host: a page from elsewhere whose name was
// bent to this machine must not read results.
func ownHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		host, _, err := net.SplitHostPort(q.Host)
		if err != nil {
			host = q.Host
		}
		if !onlyHere(host) {
			http.Error(w, "this server answers to 127.0.0.1, ::1 and localhost only", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, q)
	})
}
