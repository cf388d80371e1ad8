package trust

func place(get func(string) string, _ string) string { return below(get("LOCALAPPDATA"), "poscrape") }
