const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const DAY_MS = 86_400_000

/** '14:03:22', with the day before it where it is not the day of `now`. UTC, as in every journal and report. */
export function timeText(t: number | null, now: number): string {
  if (t === null) return '–'
  const clock = new Date(t).toISOString().slice(11, 19)
  return Math.floor(t / DAY_MS) === Math.floor(now / DAY_MS) ? clock : `${dayText(t)} ${clock}`
}

/** '21 Nov', UTC. */
export function dayText(t: number): string {
  const date = new Date(t)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}`
}

/** The labels of a time axis with ticks (in ms) `stepMs` apart: the day stands below where it begins. */
export function timeTicks(ticks: readonly number[], stepMs: number): string[] {
  return ticks.map((t, index) => {
    const date = new Date(t)
    const year = date.getUTCFullYear()
    const before = ticks[index - 1]
    const isNewYear = before === undefined || new Date(before).getUTCFullYear() !== year
    if (stepMs >= 28 * DAY_MS) return `${MONTHS[date.getUTCMonth()] ?? ''}${isNewYear ? `\n${year}` : ''}`
    if (stepMs >= DAY_MS) return `${dayText(t)}${isNewYear ? `\n${year}` : ''}`
    const clock = date.toISOString().slice(11, stepMs < 60_000 ? 19 : 16)
    const isNewDay = before === undefined || Math.floor(before / DAY_MS) !== Math.floor(t / DAY_MS)
    return isNewDay ? `${clock}\n${dayText(t)}` : clock
  })
}
