package protocol

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sync/errgroup"
)

// Worker brings home one order after the other.
type Worker interface {
	Do(ctx context.Context, order Order) (Result, error)
	Close() error
}

// Main is the whole of a tool: it reads the command line, has open make its
// workers, hands them the orders, and writes the results. The first error ends it.
func Main(open func(ctx context.Context, o Options, worker int) (Worker, error)) {
	if err := run(os.Args[1:], &Writer{to: os.Stdout}, open); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out *Writer, open func(ctx context.Context, o Options, worker int) (Worker, error)) error {
	o, err := Parse(args)
	if err != nil {
		return err
	}
	orders, err := o.Orders()
	if err != nil {
		return err
	}
	queue := make(chan Order, len(orders))
	for _, order := range orders {
		queue <- order
	}
	close(queue)
	group, ctx := errgroup.WithContext(context.Background())
	for n := range o.Workers {
		group.Go(func() error { return work(ctx, o, n, open, queue, out) })
	}
	return group.Wait()
}

func work(ctx context.Context, o Options, n int, open func(context.Context, Options, int) (Worker, error), queue <-chan Order, out *Writer) (err error) {
	worker, err := open(ctx, o, n)
	if err != nil {
		return fmt.Errorf("opening worker %d: %w", n+1, err)
	}
	defer func() { err = errors.Join(err, worker.Close()) }()
	for order := range queue {
		result, err := worker.Do(ctx, order)
		if err != nil {
			return fmt.Errorf("%s: %w", order.PO, err)
		}
		if err := out.Write(result); err != nil {
			return err
		}
	}
	return nil
}
