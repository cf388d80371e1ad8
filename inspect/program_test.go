package inspect_test

import (
	"testing"

	"github.com/poscrape/poscrape/inspect"
)

// TestPrograms: the bytes of programs show, and texts and documents that begin alike are none.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		head string
		want inspect.Program
	}{
		"Windows":                   {"MZ\x90\x00\x03\x00\x00\x00", inspect.EXE},
		"one that is a PDF too":     {"MZ\x00\x00%PDF-1.4\n", inspect.EXE},
		"a text that begins alike":  {"MZ;Menge;Preis\r\n1;2;3\r\n", ""},
		"Linux":                     {"\x7fELF\x02\x01\x01\x00", inspect.ELF},
		"macOS":                     {"\xcf\xfa\xed\xfe\x07\x00\x00\x01", inspect.MachO},
		"macOS, several at once":    {"\xca\xfe\xba\xbe\x00\x00\x00\x02", inspect.MachO},
		"a shortcut":                {"L\x00\x00\x00\x01\x14\x02\x00\x00\x00", inspect.Shortcut},
		"a script":                  {"#!/bin/sh\nid\n", inspect.Script},
		"one that is a PDF besides": {"#! /usr/bin/env python\n%PDF-1.4\n", inspect.Script},
		"recorded voice":            {"#!AMR\n\x00\x01", ""},
		"a comment":                 {"# !/bin/sh\n", ""},
		"a PDF":                     {"%PDF-1.7\n", ""},
		"a DWG":                     {"AC1032\x00\x00", ""},
		"nothing":                   {"", ""},
	} {
		if got := inspect.Sniff([]byte(c.head)).Program; got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
