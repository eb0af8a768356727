const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** '2 Nov 2026, 07:00 UTC' of milliseconds since the epoch; 'unknown' where no calendar has the time. */
export function minuteText(t: number): string {
  const day = dayText(t)
  return day === 'unknown' ? day : `${day}, ${new Date(t).toISOString().slice(11, 16)}\u00a0UTC`
}

/** '2 Nov 2026' in UTC, with spaces that no line breaks at. */
export function dayText(t: number): string {
  const date = new Date(t)
  if (Number.isNaN(date.getTime())) return 'unknown'
  return `${date.getUTCDate()}\u00a0${MONTH.format(date)}\u00a0${date.getUTCFullYear()}`
}
