import { type Ms, SECOND_MS } from '../../../base/time.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { bookingOf, differenceText } from '../../../base/money/difference.ts'
import { halts, type RuleBreach, safe } from '../rule-breach.ts'
import type { RiskInput } from '../risk-input.ts'
import type { RiskSettings } from '../risk-settings.ts'

const READINGS_TO_HALT = 2

/** A reconciliation break (fills may be missing, balances are unreconciled): safe quote at once, halt if it lasts. */
export function reconciliationRules(input: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  foreignRule(input, out)
  unreadableRule(input, settings, out)
  if (input.breakSince === null) return
  const ageMs = input.now - input.breakSince
  const differs = ASSETS.filter((asset) => (input.unreconciled[asset] ?? 0n) !== 0n)
  const actual = differenceText(input.unreconciled)
  if (differs.length > 0 && (ageMs >= settings.unexplainedGraceMs || input.unreconciledTooLong)) {
    const message = `balances differ from opening + fills + own transfers (${actual}); find the cause, then \`mizani resume --book ${bookingOf(input.unreconciled)}\``
    out.push(halts('unexplained-balance', '0', actual, message))
    return
  }
  const message = `${input.breakReason}; lifts when fills and balances agree again`
  out.push(safe('fills-gap', 'reconciled', actual === '' ? input.breakReason : actual, message))
}

/** One reading may be an error of the venue; a second one that confirms it is a transfer by someone else. */
function foreignRule({ foreign }: RiskInput, out: RuleBreach[]): void {
  if (foreign === null) return
  const what =
    'balances fell by more than any fill at our quotes can explain: someone else, or the venue, is moving funds with this key'
  out.push({
    rule: 'foreign-hand',
    effect: foreign.readings >= READINGS_TO_HALT ? 'halt' : 'safe',
    limit: '600 bps and 1 USD lost at the mid',
    actual: differenceText(foreign.difference),
    message: `${what} (${differenceText(foreign.difference)}); replace the key, then \`mizani resume --book ${bookingOf(foreign.difference)}\``,
  })
}

/** The safe quote is sent this much before half of the limit, so that it is live by then. */
const SAFE_AHEAD_MS = 3 * SECOND_MS

/** Returns when the safe quote is required. */
export function safeAfterUnreadable(maxUnreadableMs: Ms): Ms {
  return Math.max(0, maxUnreadableMs / 2 - SAFE_AHEAD_MS)
}

/** Unreadable figures leave the position unproven: the safe quote by half of the limit, then a halt. */
function unreadableRule(
  { unreadable }: RiskInput,
  { maxUnreadableMs }: RiskSettings,
  out: RuleBreach[],
): void {
  if (unreadable === null || maxUnreadableMs === null) return
  if (unreadable.expectedMs < safeAfterUnreadable(maxUnreadableMs)) return
  out.push({
    rule: 'unreadable',
    effect: unreadable.ms >= maxUnreadableMs ? 'halt' : 'safe',
    limit: `${maxUnreadableMs} ms`,
    actual: `${unreadable.ms} ms`,
    message: `${unreadable.why}; the venue has answered for ${Math.round(unreadable.ms / 1_000)} s without a readable figure (risk.maxUnreadableMs): ask the venue, then resume`,
  })
}

/** Loss since the start and drawdown from the peak. A position that cannot be valued halts: it does not count as zero. */
export function lossRules(input: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  const { maxLossTzs, maxDrawdownTzs } = settings
  const limited = maxLossTzs !== null || maxDrawdownTzs !== null
  if (!limited) return
  const { pnlTzs, drawdownTzs } = input
  if (input.hasPosition && (pnlTzs === null || drawdownTzs === null)) {
    const { problem } = input.mid
    const message = `a loss limit is set but the position cannot be valued${problem === null ? '' : `: ${problem}`}`
    out.push(halts('cannot-value', 'a valuation', 'none', message))
    return
  }
  if (maxLossTzs !== null && pnlTzs !== null && -pnlTzs > maxLossTzs) {
    const message = 'the loss since the start is over risk.maxLossTzs'
    out.push(halts('loss', tzs(maxLossTzs), tzs(-pnlTzs), message))
  }
  if (maxDrawdownTzs !== null && drawdownTzs !== null && drawdownTzs > maxDrawdownTzs) {
    const message = 'the drawdown from the peak is over risk.maxDrawdownTzs'
    out.push(halts('drawdown', tzs(maxDrawdownTzs), tzs(drawdownTzs), message))
  }
}

/** Whole shillings are exact enough for a message. */
function tzs(value36: bigint): string {
  return `${value36 / 10n ** 36n} TZS`
}
