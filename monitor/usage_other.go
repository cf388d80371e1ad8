//go:build !linux

package monitor

import (
	"context"
	"errors"
	"fmt"
)

func (*UsageSampler) sample(context.Context, []int) (map[int]Usage, error) {
	return nil, fmt.Errorf("measure the use of process groups: %w on this system", errors.ErrUnsupported)
}
