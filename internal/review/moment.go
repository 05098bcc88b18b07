package review

import "time"

// moment reads the time of a report line, in nanoseconds since 1970. It reads the usual form,
// 2006-01-02T15:04:05.999999999 with Z or an offset, itself, because package time takes four times as long.
func moment(text []byte) (nanoseconds int64, ok bool) {
	if nanoseconds, ok = usualMoment(text); ok {
		return nanoseconds, true
	}
	t, err := time.Parse(time.RFC3339, string(text))
	return t.UnixNano(), err == nil && t.Year() > 1970 && t.Year() < 2262
}

func usualMoment(text []byte) (nanoseconds int64, ok bool) {
	const form = "2006-01-02T15:04:05"
	if len(text) <= len(form) || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return 0, false
	}
	year, month, day := digits(text[0:4]), digits(text[5:7]), digits(text[8:10])
	hour, minute, second := digits(text[11:13]), digits(text[14:16]), digits(text[17:19])
	if year <= 1970 || year >= 2262 || month < 1 || month > 12 || day < 1 || day > 28 ||
		hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return 0, false
	}
	rest := text[len(form):]
	fraction := int64(0)
	if rest[0] == '.' {
		n := 1
		for scale := int64(1e8); n < len(rest) && rest[n]-'0' < 10; n++ {
			fraction += int64(rest[n]-'0') * scale
			scale /= 10
		}
		if n == 1 || n > 10 {
			return 0, false
		}
		rest = rest[n:]
	}
	offset, ok := zone(rest)
	seconds := (daysSince1970(year, month, day)*24+int64(hour))*3600 + int64(minute)*60 + int64(second) - offset
	return seconds*1e9 + fraction, ok
}

// zone returns the offset of a time zone in seconds.
func zone(text []byte) (offset int64, ok bool) {
	if len(text) == 1 && text[0] == 'Z' {
		return 0, true
	}
	if len(text) != 6 || text[0] != '+' && text[0] != '-' || text[3] != ':' {
		return 0, false
	}
	hours, minutes := digits(text[1:3]), digits(text[4:6])
	offset = int64(hours)*3600 + int64(minutes)*60
	if text[0] == '-' {
		offset = -offset
	}
	return offset, hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60
}

// digits returns a number, or a negative value if there is anything but digits.
func digits(text []byte) (n int) {
	for _, b := range text {
		if b-'0' > 9 {
			return -1
		}
		n = 10*n + int(b-'0')
	}
	return n
}

// daysSince1970 returns the number of days to a date of the Gregorian calendar. The year is counted from March, so that a leap
// day is its last day; month m of that year, where March is 0, begins after (153m + 2)/5 days.
func daysSince1970(year, month, day int) int64 {
	const before1970 = 719468 // days from 1 March of the year 0
	if month < 3 {
		year, month = year-1, month+12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1
	return int64(days - before1970)
}
