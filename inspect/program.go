package inspect

import "bytes"

// Program is what bytes are that a system would run or follow, by the usual ending of such files.
type Program string

// The programs that are told apart.
const (
	EXE      Program = "exe"   // a program or a part of one, of DOS or Windows
	ELF      Program = "elf"   // of Linux and other systems
	MachO    Program = "macho" // of macOS; Java's classes begin alike
	Shortcut Program = "lnk"   // of Windows
	Script   Program = "sh"    // whatever its language: its first line names what runs it
)

func (p Program) String() string {
	switch p {
	case EXE:
		return "a program of Windows"
	case ELF:
		return "a program of Linux"
	case MachO:
		return "a program of macOS or Java"
	case Shortcut:
		return "a shortcut of Windows"
	case Script:
		return "a script"
	}
	return ""
}

// programs are the first bytes of programs that no other file begins with.
var programs = []struct {
	prefix  string
	program Program
}{
	{"\x7fELF", ELF}, {"L\x00\x00\x00\x01\x14\x02\x00", Shortcut},
	{"\xfe\xed\xfa\xce", MachO}, {"\xfe\xed\xfa\xcf", MachO}, {"\xce\xfa\xed\xfe", MachO}, {"\xcf\xfa\xed\xfe", MachO},
	{"\xca\xfe\xba\xbe", MachO}, {"\xca\xfe\xba\xbf", MachO},
}

// programOf returns which program a file's first bytes are, or nothing.
func programOf(head []byte) Program {
	for _, p := range programs {
		if bytes.HasPrefix(head, []byte(p.prefix)) {
			return p.program
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("MZ")) && bytes.ContainsFunc(head, noText): // a text may begin so
		return EXE
	case bytes.HasPrefix(head, []byte("#!")) && !bytes.HasPrefix(head, []byte("#!AMR")) && !bytes.HasPrefix(head, []byte("#!SILK")): // recorded voice
		return Script
	}
	return ""
}

// noText reports whether a character is one that stands in no text.
func noText(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != 0x1a
}
