package portal

import (
	"net/http"
	"slices"
)

// drip sends a page late and in small pieces.
func (p *Portal) drip(w http.ResponseWriter, r *http.Request, page []byte) {
	if !p.pause(r, p.config.Slow) {
		return
	}
	pageHeader(w)
	// An error means that the client has gone.
	_, _ = p.newDripper(w, r, int64(len(page))).Write(page)
}

// dripper passes on what is written in pieces, with a pause after each.
type dripper struct {
	to    http.ResponseWriter
	pause func() bool
	piece int
}

// drops is in how many pieces a slow answer comes.
const drops = 10

func (p *Portal) newDripper(w http.ResponseWriter, r *http.Request, size int64) *dripper {
	return &dripper{
		to: w, piece: int(size/drops) + 1,
		pause: func() bool { return p.pause(r, p.config.Slow/drops) },
	}
}

func (d *dripper) Write(b []byte) (int, error) {
	written := 0
	for piece := range slices.Chunk(b, d.piece) {
		n, err := d.to.Write(piece)
		written += n
		if err != nil {
			return written, err
		}
		if err := http.NewResponseController(d.to).Flush(); err != nil {
			return written, err
		}
		if !d.pause() {
			return written, http.ErrAbortHandler
		}
	}
	return written, nil
}
