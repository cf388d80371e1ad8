package report

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// packedTasks keeps tasks as one JSON array, a task on each line, compressed in
// memory to a sixth to a tenth of its size. It is filled by add, then sealed, and
// from then on only read.
type packedTasks struct {
	packed bytes.Buffer
	packer *flate.Writer
	line   bytes.Buffer
	encode *json.Encoder
	next   string
	count  int
}

func packTasks() (*packedTasks, error) {
	s := &packedTasks{next: openList}
	var err error
	if s.packer, err = flate.NewWriter(&s.packed, flate.BestSpeed); err != nil {
		return nil, fmt.Errorf("compressing the tasks: %w", err)
	}
	s.encode = json.NewEncoder(&s.line)
	s.encode.SetEscapeHTML(false)
	return s, nil
}

func (s *packedTasks) add(t *Task) error {
	s.line.Reset()
	s.line.WriteString(s.next)
	s.next = nextEntry
	if err := s.encode.Encode(t); err != nil {
		return fmt.Errorf("encoding order %q (task %s): %w", t.PO, t.ID, err)
	}
	s.line.Truncate(s.line.Len() - len("\n"))
	if _, err := s.packer.Write(s.line.Bytes()); err != nil {
		return fmt.Errorf("compressing order %q (task %s): %w", t.PO, t.ID, err)
	}
	s.count++
	return nil
}

func (s *packedTasks) seal() error {
	end := closeList
	if s.next == openList {
		end = emptyList
	}
	if _, err := io.WriteString(s.packer, end); err != nil {
		return fmt.Errorf("compressing the tasks: %w", err)
	}
	if err := s.packer.Close(); err != nil {
		return fmt.Errorf("compressing the tasks: %w", err)
	}
	s.packer, s.encode, s.line = nil, nil, bytes.Buffer{}
	return nil
}

// open returns the array as JSON text.
func (s *packedTasks) open() *bufio.Reader {
	return bufio.NewReaderSize(flate.NewReader(bytes.NewReader(s.packed.Bytes())), 64<<10)
}

// all yields the tasks in order, but for those that skip, given their index,
// says true for: these cost next to nothing. A nil skip skips none.
func (s *packedTasks) all(skip func(int) bool) iter.Seq2[*Task, error] {
	return func(yield func(*Task, error) bool) {
		if s.count == 0 {
			return
		}
		lines := s.open()
		if _, err := readLine(lines, false); err != nil {
			yield(nil, fmt.Errorf("reading the tasks back: %w", err))
			return
		}
		for i := range s.count {
			wanted := skip == nil || !skip(i)
			line, err := readLine(lines, wanted)
			if err == nil && !wanted {
				continue
			}
			t := new(Task)
			if err == nil {
				err = json.Unmarshal(bytes.TrimSuffix(line, []byte(",")), t)
			}
			if err != nil {
				yield(nil, fmt.Errorf("reading task %d back: %w", i, err))
				return
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// readLine returns the next line without its end, or passes over it.
func readLine(lines *bufio.Reader, keep bool) ([]byte, error) {
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		if keep {
			line = append(line, part...)
		}
		if err == nil {
			return bytes.TrimSuffix(line, []byte("\n")), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}
