/** Milliseconds since the Unix epoch (a point in time) or a duration; names of durations end with `Ms`. */
export type Ms = number

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
