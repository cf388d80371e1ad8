package container_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if ownerMain() {
		return
	}
	goleak.VerifyTestMain(m)
}
