package profiles_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/poscrape/poscrape/profiles"
)

func Example() {
	manager, err := profiles.NewManager(profiles.Config{Max: 1, MinFree: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	profile, err := manager.Create("worker_001")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("fit for a browser:", manager.Validate(profile) == nil)

	_, err = manager.Create("worker_002")
	fmt.Println("one too many:", errors.Is(err, profiles.ErrTooMany))

	removed, err := manager.RemoveAll()
	fmt.Println("removed:", removed, err)
	fmt.Println("closed:", manager.Close())
	// Output:
	// fit for a browser: true
	// one too many: true
	// removed: 1 <nil>
	// closed: <nil>
}
