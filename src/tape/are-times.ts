import { LATEST_TIME } from './parse-time.ts'

/** Whether a tape can hold all these times. */
export function areTimes(times: Float64Array): boolean {
  for (let i = 0; i < times.length; i++) {
    const t = times[i] as number
    if (!(t >= 0 && t <= LATEST_TIME)) return false
  }
  return true
}
