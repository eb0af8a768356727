import type { Ms } from '../base/time.ts'
import type { Amounts, Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { BookState } from './book.ts'
import { noteFee } from './fee-learning.ts'
import type { PostedFill } from './fee-model.ts'
import type { FillAdmission } from './admit-fills.ts'
import type { Instruction } from './instruction.ts'
import { judgePendingReadings, judgeReading } from './judge-reading.ts'
import { judgePending, keepRows, noteAnswered } from './pending-readings.ts'
import { forgetReadings, sayVerdict } from './say-verdict.ts'
import { type CompletenessSettings, type CompletenessState, KEPT_POLLS } from './completeness.ts'

/** A fills answer after its new rows were posted. */
export type FillsPolled = {
  readonly t: Ms
  readonly sentAt: Ms
  readonly repeated: number
  readonly windowFull: boolean
  readonly admission: FillAdmission
  /** What was posted of `admission.fresh`, in that order. */
  readonly posted: readonly PostedFill[]
  /** The book's accounts, with `posted` in them. */
  readonly accounts: BookState['accounts']
  readonly settings: CompletenessSettings
  /** Withdrawals whose outcome is unknown: an outflow of exactly one of them is that withdrawal. */
  readonly unknownWithdrawals: readonly { readonly asset: Asset; readonly amount: bigint }[]
  /** The protocol fees that the sources name, in bps, the likeliest first. */
  readonly feeRates: readonly number[]
  /** The mids that a recent fill may have been priced from, the latest first. */
  readonly mids: readonly Rate[]
  /** A move of our own is under way, or its outcome is unknown. */
  readonly busy: boolean
}

/** A fills poll was answered: checks that it overlaps, and judges the readings that its rows may explain. */
export function onFillsPolled(state: CompletenessState, polled: FillsPolled): Instruction[] {
  const out: Instruction[] = []
  const before = polled.admission.seenBefore
  const overlaps = polled.repeated > 0 || before > 0 || !polled.windowFull
  const everPolled = state.polls.length > 0
  noteAnswered(state, polled.t, polled.busy)
  for (const fill of polled.posted) noteFee(state.fees, fill)
  keepRows(state, polled.posted)
  state.polls.push({ t: polled.t, fresh: polled.admission.added, fills: polled.posted })
  if (state.polls.length > KEPT_POLLS) state.polls.shift()
  if (everPolled && !overlaps) {
    // What a reading before this poll would prove ends before the hole: only a new one can close it.
    forgetReadings(state, polled.t)
    if (state.opened) sayVerdict(state, out, 'gap', 'fills may have been missed: no row is known', {})
    out.push({ do: 'ask', what: 'balances', why: 'only the balances can tell whether fills were missed' })
    return out
  }
  judgePendingReadings(state, polled, out)
  const difference = closeReading(state, polled, out)
  judgePending(state, polled, difference, out)
  return out
}

/** Judges the reading that this poll closes; returns what it differs by where nothing explains it. */
function closeReading(
  state: CompletenessState,
  polled: FillsPolled,
  out: Instruction[],
): Partial<Amounts> | null {
  const { reading } = state
  if (reading === null) {
    if (!state.opened || state.state === 'checking') {
      out.push({ do: 'ask', what: 'balances', why: state.why })
    }
    return null
  }
  if (polled.sentAt < reading.t) {
    out.push({ do: 'ask', what: 'fills', why: 'the balances were read after this poll was sent' })
    return null
  }
  state.reading = null
  return judgeReading(state, reading, polled, out)
}
