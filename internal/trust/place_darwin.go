package trust

func place(_ func(string) string, home string) string {
	return below(home, "Library", "Application Support", "poscrape")
}
