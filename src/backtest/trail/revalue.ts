import type { TrailState } from './trail-state.ts'

/** After a fill or a mark: what is held, what it is worth, and how far that is below its peak. */
export function revalue(state: TrailState): void {
  const { held, fair, settings } = state
  held.value = held.dollars + held.tzs / fair
  held.q = held.dollars - settings.target * held.value
  if (held.value > held.peak) held.peak = held.value
  const fall = held.peak - held.value
  if (fall > held.worstFall) {
    held.worstFall = fall
    held.fellFrom = held.peak
  }
  state.equity.add(state.t, held.value)
  state.falls.add(state.t, fall)
  noteLimit(state)
}

/**
 * At a limit: a side could not pay the median taker so far, or the one side is off that would take us
 * further from the target while the other is quoted.
 */
export function noteLimit(state: TrailState): void {
  const { held, mid, size } = state
  const usual = size.value
  const bidIsOff = Number.isNaN(state.bid)
  const askIsOff = Number.isNaN(state.ask)
  // A bid is paid out in dollars, an ask in shillings; nothing at all pays nobody.
  const cannotPay = held.dollars < usual || held.dollars <= 0 || held.tzs < usual * mid || held.tzs <= 0
  const holdsBack = (held.q > 0 && askIsOff && !bidIsOff) || (held.q < 0 && bidIsOff && !askIsOff)
  state.atLimit = cannotPay || holdsBack
}
