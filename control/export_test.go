package control

import "time"

// Impatient returns a client that waits for no end of a session once one answer has not come.
func Impatient(c *Client) *Client {
	c.silentAtMost = time.Second
	return c
}
