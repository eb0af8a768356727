export const DAY_MS = 86_400_000

/** '2 Nov 2026, 07:00 UTC', with seconds where a chart shows little time. */
export function timeText(t, shownMs) {
  const date = new Date(t)
  const clock = date.toISOString().slice(11, shownMs < 3_600_000 ? 19 : 16)
  return `${dayText(date)} ${date.getUTCFullYear()}, ${clock} UTC`
}

/** The labels of a time axis with ticks every `step` milliseconds: the year (and the day) once, below. */
export function timeTicks(ticks, step) {
  return ticks.map((t, index) => {
    const date = new Date(t)
    const year = date.getUTCFullYear()
    const isNewYear = index === 0 || new Date(ticks[index - 1]).getUTCFullYear() !== year
    if (step >= 360 * DAY_MS) return String(year)
    if (step >= 28 * DAY_MS) return monthText(date) + (isNewYear ? `\n${year}` : '')
    if (step >= DAY_MS) return dayText(date) + (isNewYear ? `\n${year}` : '')
    const clock = date.toISOString().slice(11, step < 60_000 ? 19 : 16)
    const isNewDay = index === 0 || new Date(ticks[index - 1]).getUTCDate() !== date.getUTCDate()
    return isNewDay ? `${clock}\n${dayText(date)}${isNewYear ? ` ${year}` : ''}` : clock
  })
}

function dayText(date) {
  return `${date.getUTCDate()} ${monthText(date)}`
}

function monthText(date) {
  return date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
}
