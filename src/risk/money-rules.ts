import type { Finding } from './finding.ts'
import type { RiskInput } from './risk-input.ts'
import type { RiskSettings } from './risk-settings.ts'

/** Loss since the start and drawdown from the peak. What cannot be valued is not taken for zero. */
export function moneyRules(input: RiskInput, settings: RiskSettings, out: Finding[]): void {
  const limited = settings.maxLossTzs !== null || settings.maxDrawdownTzs !== null
  if (limited && input.hasPosition && (input.pnlTzs === null || input.drawdownTzs === null)) {
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

function halt(rule: Finding['rule'], limit: string, actual: string, message: string): Finding {
  return { rule, effect: 'halt', limit, actual, message }
}

/** Whole shillings are fine enough for a sentence. */
function tzs(value36: bigint): string {
  return `${value36 / 10n ** 36n} TZS`
}
