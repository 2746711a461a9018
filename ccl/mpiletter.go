package ccl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// A letterKind is what a letter is for.
type letterKind uint8

const (
	dataLetter  letterKind = iota // a message of an operation
	tellLetter                    // what a rank calls, for the next rank
	abortLetter                   // the communicator has failed
	closeLetter                   // a rank has closed
	hereLetter                    // a process has begun
	leftLetter                    // a process has closed all ranks; N is 1 where one has failed
)

// A letterHead is the fixed part of a letter.
type letterHead struct {
	Kind     letterKind
	Split    bool   // of the place
	Causes   uint8  // of an abort: bits of remoteCauses
	Job      uint64 // which communicator
	Sender   int32  // process
	From, To int32  // of the place
	N        uint64 // of the place
	Step     uint32
	Total    uint64 // bytes of all messages of this step between the two ranks
	At       uint64 // where this one begins
	Len      uint32 // its bytes
	Tag      int32  // of the parcel, 0 where the letter holds the bytes itself
	Text     uint16 // bytes of text that follow
	Body     uint16 // and of the message
}

// A letter is what processes tell each other.
type letter struct {
	letterHead
	text string // what the rank calls
	body []byte
}

const (
	textMax = 1024
	bodyMax = 4096
)

func (l *letter) place() place {
	return place{split: l.Split, from: int(l.From), to: int(l.To), n: l.N}
}

func (l *letter) set(p place) { l.Split, l.From, l.To, l.N = p.split, int32(p.from), int32(p.to), p.n }

// bytes is the letter as it is sent.
func (l *letter) bytes() []byte {
	l.text = l.text[:min(len(l.text), textMax)]
	l.letterHead.Text, l.letterHead.Body = uint16(len(l.text)), uint16(len(l.body))
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, &l.letterHead)
	b.WriteString(l.text)
	b.Write(l.body)
	return b.Bytes()
}

func readLetter(b []byte) (*letter, error) {
	var l letter
	r := bytes.NewReader(b)
	if err := binary.Read(r, binary.LittleEndian, &l.letterHead); err != nil {
		return nil, err
	}
	text := make([]byte, l.letterHead.Text)
	l.body = make([]byte, l.letterHead.Body)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, fmt.Errorf("a letter that is too short: %w", err)
	}
	if _, err := io.ReadFull(r, l.body); err != nil {
		return nil, fmt.Errorf("a letter that is too short: %w", err)
	}
	l.text = string(text)
	return &l, nil
}
