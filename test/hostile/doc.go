// Package hostile builds the requests that cost a planner the most: each small, valid for protobuf, and made so that some
// pair of its fields multiplies. They are built and not stored, the same bytes each time. "make measure WHAT=cost" measures them.
package hostile
