package claims

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/poscrape/poscrape/inspect"
	"github.com/poscrape/poscrape/internal/filename"
)

// running are the kinds of files that some system runs, installs, follows or mounts when they are
// opened or their folder is looked at: the endings of their names, and a whole name. Those of bytes
// (inspect.Program) are among them. docs/recipe.md has this table as well.
var running = []struct{ what, kinds string }{
	{"programs", "exe com scr pif cpl xll jar elf macho app run appimage prefpane saver osax xbap air war ear"},
	{"scripts", "bat cmd ps1 psm1 psc1 ps1xml vbs vbe vb js jse ws wsf wsh wsc sct hta py pyw pyz pyc sh bash zsh csh ksh fish command tool terminal workflow scpt applescript msh ps2 psc2 pyo pyzw a3x action"},
	{"code of Office", "xla xlam ppam wll mdb mde mda mam maf accde accdr ade adp"},
	{"installers", "msi msp mst msu msix msixbundle appx appxbundle appinstaller application vsto jnlp gadget diagcab pkg mpkg mobileconfig deb rpm flatpakref flatpakrepo snap apk vsix diagpkg webpnp printerexport"},
	{"shortcuts", "lnk url website desktop webloc inetloc fileloc rdp appref-ms appcontent-ms settingcontent-ms library-ms search-ms searchconnector-ms shb shs"},
	{"disk images", "iso img udf vhd vhdx dmg sparseimage sparsebundle toast smi wim vmdk"},
	{"settings and help of the system", "desktop.ini reg inf scf msc theme themepack deskthemepack chm hlp"},
}

// runningKinds are all of them.
var runningKinds = func() map[string]bool {
	all := map[string]bool{}
	for _, group := range running {
		for kind := range strings.FieldsSeq(group.kinds) {
			all[kind] = true
		}
	}
	return all
}()

// Runs reports whether a kind of file is one that some system would run.
func Runs(kind string) bool { return runningKinds[kind] }

// RunsAs returns the kind of file that some system would run by this name, or nothing. The name is
// taken as it would be stored, without what is not seen.
func RunsAs(name string) string {
	name = strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	name = filename.Safe(name)
	if strings.Contains(name, ".") && runningKinds[name] {
		return name
	}
	if kind := strings.TrimPrefix(path.Ext(name), "."); runningKinds[kind] {
		return kind
	}
	return ""
}

// Invisible reports whether nobody sees that a letter is there.
func Invisible(r rune) bool {
	return r == '\u2800' || unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Running is one reason to believe that a system would run a file.
type Running struct{ Kind, Why string }

// Running returns all of them: what its names end in, or else what its bytes are. stored is the name
// that it would be stored under.
func (c Claims) Running(kind inspect.Type, stored string) []Running {
	var found []Running
	for _, name := range []string{c.Item, c.File, stored} {
		ending := RunsAs(name)
		if ending == "" || name == c.File && c.Unnamed && c.isDocument(kind) || slices.ContainsFunc(found, func(r Running) bool { return r.Kind == ending }) {
			continue
		}
		found = append(found, Running{ending, fmt.Sprintf("its name is %q", name)})
	}
	if len(found) == 0 && kind.Program != "" {
		found = append(found, Running{string(kind.Program), fmt.Sprintf("its bytes are %s", kind.Program)})
	}
	return found
}

// isDocument reports whether a file is one by its bytes or its own name, so that the address it came
// from, such as /cgi-bin/get.exe?id=1, need not be its name.
func (c Claims) isDocument(kind inspect.Type) bool {
	return !kind.Form.IsText() && kind.Form != inspect.Other || endings[Ending(c.Item)] != nil || isTextName(c.Item)
}
