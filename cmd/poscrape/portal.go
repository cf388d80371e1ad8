package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/poscrape/poscrape/internal/portal"
	"github.com/poscrape/poscrape/internal/shell"
)

const portalLong = `Start the demo portal alone, and keep it running until Ctrl-C.

It is a supplier portal to try recipes and flags on: its pages look and weigh
like real ones, and each order shows something that real portals do. Its landing
page lists the orders.`

// portalOptions are the flags of the command portal.
type portalOptions struct {
	addr, csv string
	orders    int
}

func (p *program) newPortalCommand() *cobra.Command {
	o := portalOptions{addr: "127.0.0.1:8480", orders: portal.DemoOrders}
	cmd := &cobra.Command{
		Use:   "portal [flags]",
		Short: "Start the demo portal alone",
		Long:  portalLong,
		Example: `  poscrape portal --csv pos.csv
  poscrape run --workers 4 --allow-local pos.csv   in another terminal, meanwhile`,
		Args:              noArguments,
		ValidArgsFunction: completeNothing,
		RunE: func(cmd *cobra.Command, _ []string) error {
			signals, stop := p.listen()
			defer stop()
			return p.portal(cmd.Context(), o, signals)
		},
	}
	inSection(cmd, "Flags", func(f *pflag.FlagSet) {
		f.StringVar(&o.addr, "addr", o.addr, "`HOST:PORT` where it listens; port 0 is a free one")
		f.IntVar(&o.orders, "orders", o.orders, "`N` orders")
		f.StringVar(&o.csv, "csv", "", "`FILE` a new file for its orders, a sheet for poscrape run; - is standard output")
	})
	return cmd
}

// portal serves until a signal or the end of ctx.
func (p *program) portal(ctx context.Context, o portalOptions, signals <-chan os.Signal) (err error) {
	if _, err := net.ResolveTCPAddr("tcp", o.addr); err != nil {
		return usageErrorf("--addr: %s is not an address to listen on, such as 127.0.0.1:8480 (%s)", quote(o.addr), err)
	}
	demo, base, err := startPortal(o.addr, o.orders)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, demo.Close()) }()
	if o.csv != "" {
		if err := p.writeOrders(demo, base, o.csv); err != nil {
			return err
		}
	}
	p.tellPortal(base, o)
	select {
	case <-signals:
	case <-ctx.Done():
	}
	return nil
}

// tellPortal says where the portal is. Where the sheet is on standard output,
// the rest goes to standard error.
func (p *program) tellPortal(base string, o portalOptions) {
	out := p.stdout
	switch o.csv {
	case "-":
		out = p.stderr
		fmt.Fprintf(out, "The demo portal with %s is at %s\n", counted(o.orders, "order"), base)
	case "":
		fmt.Fprintf(out, "The demo portal with %s is at %s\n", counted(o.orders, "order"), base)
		fmt.Fprintln(out, "For its orders as a sheet, start it with --csv pos.csv")
	default:
		fmt.Fprintf(out, "The demo portal with %s is at %s\n", counted(o.orders, "order"), base)
		fmt.Fprintf(out, "Its orders are in %s; in another terminal:\n  poscrape run --workers 4 --allow-local %s\n", o.csv, shell.Word(o.csv))
	}
	fmt.Fprintln(out, "Ctrl-C ends it.")
}

// startPortal starts a demo portal, a mix of all that it can show.
func startPortal(addr string, orders int) (*portal.Portal, string, error) {
	config := portal.Config{Orders: orders}
	if orders < 1 {
		return nil, "", usageErrorf("--orders: %d is out of bounds: a portal has at least 1 order", orders)
	}
	if err := config.Validate(); err != nil {
		return nil, "", usageErrorf("--orders: %d is out of bounds: %s", orders, err)
	}
	config.Variations = portal.DemoMix(orders)
	demo, err := portal.New(config)
	if err != nil {
		return nil, "", fmt.Errorf("making the demo portal: %w", err)
	}
	base, err := demo.Start(addr)
	if err != nil {
		return nil, "", &environmentError{fmt.Errorf("starting the demo portal: %w; name another address with poscrape portal --addr", err)}
	}
	return demo, base, nil
}

// writeOrders writes the portal's orders to a new file, or to standard output.
func (p *program) writeOrders(demo *portal.Portal, base, name string) error {
	if name == "-" {
		return demo.WriteCSV(p.stdout, base)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usageErrorf("%s exists already: name a file that does not, or remove it", name)
	}
	if err != nil {
		return usageErrorf("the orders of the demo portal cannot be written: %s", err)
	}
	if err := writeAndClose(f, func(w io.Writer) error { return demo.WriteCSV(w, base) }); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", name, err), os.Remove(name))
	}
	return nil
}

func writeAndClose(f *os.File, write func(io.Writer) error) error {
	return errors.Join(write(f), f.Close())
}
