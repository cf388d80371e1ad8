package scrape

import (
	"reflect"
	"testing"
	"unsafe"
)

// mergedBy says of each member of a page by which merges it is taken over from another page: f where that is a frame
// of another host, l where it is a further page of the order's documents, of which whole takes over the rest. A new
// member needs a line here, and with it a thought.
var mergedBy = map[string]string{
	"BadSelector":  "",
	"Again":        "",
	"X":            "",
	"Y":            "",
	"RealTime":     "",
	"Charset":      "",
	"URL":          "",
	"Clock":        "",
	"NotReady":     "l",
	"Unready":      "",
	"Headed":       "",
	"Theirs":       "l",
	"Hollow":       "",
	"Expired":      "",
	"Loading":      "l",
	"Broken":       "l",
	"Unsettled":    "l",
	"Open":         "l",
	"waiting":      "",
	"Lively":       "",
	"Streams":      "",
	"Streamed":     "",
	"Turned":       "",
	"Further":      "",
	"Parsed":       "l",
	"Unseen":       "l",
	"frames":       "",
	"framed":       "",
	"Opaque":       "",
	"closed":       "",
	"visited":      "",
	"numbered":     "",
	"CutShort":     "l",
	"Unloaded":     "l",
	"Barred":       "l",
	"BarredData":   "l",
	"Unfit":        "",
	"Identity":     "",
	"Seen":         "",
	"Apart":        "",
	"Doubt":        "",
	"Named":        "",
	"Wide":         "",
	"MoreRows":     "",
	"Refusal":      "",
	"Fields":       "f",
	"Texts":        "",
	"Ambiguous":    "f",
	"Differ":       "f",
	"Unfilled":     "f",
	"Lines":        "f",
	"None":         "f",
	"Items":        "",
	"Met":          "f",
	"LeftOut":      "f",
	"NoneVague":    "f",
	"LeftOutVague": "f",
	"Declared":     "",
	"Zero":         "f",
	"Counted":      "",
	"Beside":       "",
	"Around":       "",
	"Sizes":        "",
	"Shown":        "",
	"countable":    "",
	"row":          "",
	"others":       "",
	"lists":        "",
	"ownList":      "",
	"Controls":     "",
	"Promised":     "",
	"Left":         "",
	"Visited":      "",
	"Count":        "",
	"Related":      "f",
	"WhereUnmet":   "f",
	"Turn":         "",
	"Prints":       "",
	"Kept":         "",
	"Told":         "",
	"Pages":        "",
	"Numbers":      "",
	"InParts":      "l",
	"Unturned":     "",
	"Looks":        "",
	"Sources":      "",
	"Asks":         "",
	"Closed":       "",
	"Scripts":      "",
	"Data":         "l",
	"NoList":       "",
	"Asked":        "l",
	"notes":        "",
	"inData":       "",
	"element":      "",
	"Fetched":      "",
	"Scripted":     "",
	"Styled":       "",
}

// TestMerges: each member of a page is taken over from another page as its rule says.
func TestMerges(t *testing.T) {
	t.Parallel()
	merges := []struct {
		letter string
		merge  func(p, q *page)
	}{{"f", (*page).addFrame}, {"l", (*page).troubles}}
	kind := reflect.TypeFor[page]()
	for i := range kind.NumField() {
		name, got := kind.Field(i).Name, ""
		for _, m := range merges {
			p, q := &page{Related: make([][]relatedLink, 1)}, &page{Related: make([][]relatedLink, 1)}
			fill(t, member(q, i))
			m.merge(p, q)
			if was := member(&page{Related: make([][]relatedLink, 1)}, i); !reflect.DeepEqual(member(p, i).Interface(), was.Interface()) {
				got += m.letter
			}
		}
		if rule, known := mergedBy[name]; !known || rule != got {
			t.Errorf("%s is taken over by %q, want %q", name, got, rule)
		}
	}
}

// member returns one of a page's members, exported or not.
func member(p *page, i int) reflect.Value {
	v := reflect.ValueOf(p).Elem().Field(i)
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// fill gives a value that is not the zero one.
func fill(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(1)
	case reflect.Uint32:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		if v.Type().Elem().Kind() == reflect.Slice {
			fill(t, v.Index(0))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("x"), reflect.Zero(v.Type().Elem()))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(t, v.Field(i))
			}
		}
	default:
		t.Fatalf("a member of kind %v", v.Kind())
	}
}
