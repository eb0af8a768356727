import { type Ms, SECOND_MS } from '../../../base/time.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { bookingOf, differenceText } from '../../../base/money/difference.ts'
import type { RuleBreach } from '../rule-breach.ts'
import type { RiskInput } from '../risk-input.ts'
import type { RiskSettings } from '../risk-settings.ts'

const READINGS_TO_HALT = 2

/** A reconciliation break (fills may be missing, balances are unreconciled): safe at once, halted when it lasts. */
export function reconciliationRules(input: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  foreignRule(input, out)
  unreadableRule(input, settings, out)
  if (input.breakSince === null) return
  const ageMs = input.now - input.breakSince
  const differs = ASSETS.filter((asset) => (input.unreconciled[asset] ?? 0n) !== 0n)
  const actual = differenceText(input.unreconciled)
  if (differs.length > 0 && (ageMs >= settings.unexplainedGraceMs || input.unreconciledTooLong)) {
    out.push({
      rule: 'unexplained-balance',
      effect: 'halt',
      limit: '0',
      actual,
      message: `balances are not opening + fills + own transfers (${actual}); find the cause, then \`mizani resume --book ${bookingOf(input.unreconciled)}\``,
    })
    return
  }
  out.push({
    rule: 'fills-gap',
    effect: 'safe',
    limit: 'reconciled',
    actual: actual === '' ? input.breakReason : actual,
    message: `${input.breakReason}; lifts when fills and balances agree again`,
  })
}

/** One reading may be an error of the venue; a second one that confirms it is a transfer by someone else. */
function foreignRule({ foreign }: RiskInput, out: RuleBreach[]): void {
  if (foreign === null) return
  const what =
    'balances lost more than any fill at our quotes could take: someone else moves funds with this key, or the venue does'
  out.push({
    rule: 'foreign-hand',
    effect: foreign.readings >= READINGS_TO_HALT ? 'halt' : 'safe',
    limit: '600 bps and 1 USD lost at the mid',
    actual: differenceText(foreign.difference),
    message: `${what} (${differenceText(foreign.difference)}); exchange the key, then \`mizani resume --book ${bookingOf(foreign.difference)}\``,
  })
}

/** The safe quote is sent this much before half of the limit, so that it is live by then. */
const SAFE_AHEAD_MS = 3 * SECOND_MS

/** When the safe quote is required. */
export function safeAfterUnreadable(maxUnreadableMs: Ms): Ms {
  return Math.max(0, maxUnreadableMs / 2 - SAFE_AHEAD_MS)
}

/** A position whose figures cannot be read is not proven: the safe quote by half of the limit, then a halt. */
function unreadableRule(
  { unreadable }: RiskInput,
  { maxUnreadableMs }: RiskSettings,
  out: RuleBreach[],
): void {
  if (unreadable === null || maxUnreadableMs === undefined) return
  if (unreadable.expectedMs < safeAfterUnreadable(maxUnreadableMs)) return
  out.push({
    rule: 'unreadable',
    effect: unreadable.ms >= maxUnreadableMs ? 'halt' : 'safe',
    limit: `${maxUnreadableMs} ms`,
    actual: `${unreadable.ms} ms`,
    message: `${unreadable.why}; the venue has answered for ${Math.round(unreadable.ms / 1_000)} s without a figure that can be read (risk.maxUnreadableMs): ask the venue, then resume`,
  })
}

/** Loss since the start and drawdown from the peak. A position that cannot be valued halts: it does not count as zero. */
export function lossRules(input: RiskInput, settings: RiskSettings, out: RuleBreach[]): void {
  const limited = settings.maxLossTzs !== null || settings.maxDrawdownTzs !== null
  if (!limited || input.isLossSurelyWithin(settings.maxLossTzs, settings.maxDrawdownTzs)) return
  if (input.hasPosition && (input.pnlTzs === null || input.drawdownTzs === null)) {
    out.push(
      halt('cannot-value', 'a valuation', 'none', 'a loss limit is set but the position cannot be valued'),
    )
    return
  }
  if (settings.maxLossTzs !== null && input.pnlTzs !== null && -input.pnlTzs > settings.maxLossTzs) {
    out.push(
      halt(
        'loss',
        tzs(settings.maxLossTzs),
        tzs(-input.pnlTzs),
        'the loss since the start is over risk.maxLossTzs',
      ),
    )
  }
  if (
    settings.maxDrawdownTzs !== null &&
    input.drawdownTzs !== null &&
    input.drawdownTzs > settings.maxDrawdownTzs
  ) {
    out.push(
      halt(
        'drawdown',
        tzs(settings.maxDrawdownTzs),
        tzs(input.drawdownTzs),
        'the drawdown from the peak is over risk.maxDrawdownTzs',
      ),
    )
  }
}

function halt(rule: RuleBreach['rule'], limit: string, actual: string, message: string): RuleBreach {
  return { rule, effect: 'halt', limit, actual, message }
}

/** Whole shillings are fine enough for a sentence. */
function tzs(value36: bigint): string {
  return `${value36 / 10n ** 36n} TZS`
}
