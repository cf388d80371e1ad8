package portal

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
)

// benchSeed is what the documents of all orders are padded from. They share
// their padding, so that many large ones take little memory, and differ in what
// stands before and after it.
var benchSeed = [32]byte{'b', 'e', 'n', 'c', 'h'}

// padded adds a document of size bytes with the common padding.
func (d *draft) padded(name string, size int64) {
	doc := d.file(name, size)
	doc.content = newContent(doc.content.kind, doc.content.title, benchSeed, size)
}

// benchDocument is a document that lies ready.
type benchDocument struct {
	head, padding, tail []byte
	header              http.Header
}

// padding is the beginning of the common padding.
type padding []byte

// newPadding returns enough padding for documents of size bytes.
func newPadding(size int64) padding {
	p := make(padding, size)
	// ChaCha8 never returns an error.
	_, _ = rand.NewChaCha8(benchSeed).Read(p)
	return p
}

// split makes the document, and keeps of it what is its own.
func (p padding) split(doc Document) (benchDocument, error) {
	var whole bytes.Buffer
	if err := doc.content.write(&whole); err != nil {
		return benchDocument{}, err
	}
	padded := p[:doc.content.padding]
	head, tail, found := bytes.Cut(whole.Bytes(), padded)
	if !found {
		return benchDocument{}, errors.New("portal: the padding is not in the document " + doc.Path)
	}
	return benchDocument{
		head: bytes.Clone(head), padding: padded, tail: bytes.Clone(tail),
		header: http.Header{
			"Content-Type":        {doc.MIME},
			"Content-Length":      {strconv.Itoa(whole.Len())},
			"Content-Disposition": {doc.disposition()},
			"Cache-Control":       {"no-store"},
		},
	}, nil
}

// serve sends the document. An error means that the client has gone.
func (doc benchDocument) serve(w http.ResponseWriter) {
	for name, values := range doc.header {
		w.Header()[name] = values
	}
	for _, part := range [][]byte{doc.head, doc.padding, doc.tail} {
		_, _ = w.Write(part)
	}
}
