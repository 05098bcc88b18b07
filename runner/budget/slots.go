package budget

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"time"

	"retry/policy"
)

// A file consists of two slots, each of them a line padded with spaces:
//
//	retry-budget 1 change 42 tokens 9.5 at 2026-03-01T12:00:00.25Z held 1970-01-01T00:00:00Z sum 0123456789abcdef
//
// A change overwrites the older slot, so that the other one stays intact whatever happens to the writer. The sum is the
// 64-bit FNV-1a hash of everything before it. It detects every change of a single byte, and nearly all other changes.
const (
	slotSize = 192
	fileSize = 2 * slotSize
	mark     = "retry-budget 1 "
)

// A slot is a bucket and the number of the change that wrote it. Its times count from the Unix epoch and are never negative.
type slot struct {
	change uint64
	bucket policy.Bucket
}

func (s slot) String() string {
	text := fmt.Sprintf("%schange %d tokens %s at %s held %s", mark, s.change,
		strconv.FormatFloat(s.bucket.Tokens, 'g', -1, 64), stamp(s.bucket.At), stamp(s.bucket.Held))
	sum := fnv.New64a()
	sum.Write([]byte(text))
	return fmt.Sprintf("%-*s\n", slotSize-1, fmt.Sprintf("%s sum %016x", text, sum.Sum64()))
}

func stamp(t time.Duration) string { return time.Unix(0, int64(t)).UTC().Format(time.RFC3339Nano) }

// parseSlot parses what String returns, and nothing else.
func parseSlot(text string) (s slot, ok bool) {
	words := strings.Fields(text)
	if len(words) != 12 {
		return slot{}, false
	}
	var failed [4]error
	var at, held time.Time
	s.change, failed[0] = strconv.ParseUint(words[3], 10, 64)
	s.bucket.Tokens, failed[1] = strconv.ParseFloat(words[5], 64)
	at, failed[2] = time.Parse(time.RFC3339Nano, words[7])
	held, failed[3] = time.Parse(time.RFC3339Nano, words[9])
	s.bucket.At, s.bucket.Held = time.Duration(at.UnixNano()), time.Duration(held.UnixNano())
	valid := failed == [4]error{} && s.bucket.Tokens >= 0 && s.bucket.Tokens <= math.MaxFloat64 && s.bucket.At >= 0 &&
		s.bucket.Held >= 0
	if !valid || s.String() != text {
		return slot{}, false
	}
	return s, true
}

// parseFile returns the newest slot of a file, and the offset for writing the next one. ok is false if no slot is intact.
func parseFile(content string) (newest slot, next int64, ok bool) {
	for offset := 0; offset+slotSize <= len(content) && offset < fileSize; offset += slotSize {
		s, whole := parseSlot(content[offset : offset+slotSize])
		if whole && (!ok || s.change > newest.change) {
			newest, next, ok = s, int64(slotSize-offset), true
		}
	}
	return newest, next, ok
}

// ours reports whether a file without an intact slot may be a budget damaged by a crash or a bad disk. Anything else
// must not be overwritten, because the path may have been mistyped.
func ours(content string) bool {
	return strings.Trim(content, "\x00") == "" || strings.Contains(content, mark)
}
