package seeds

import (
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	day := time.Date(2026, 11, 23, 23, 0, 0, 0, time.FixedZone("", -2*3600)) // the 24th, in UTC
	for _, c := range []struct {
		given uint64
		env   string
		want  uint64
	}{{0, "true", 2}, {7, "true", 7}, {7, "", 7}, {0, "", 20261124}} {
		if got := of(c.given, 2, c.env, day); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
