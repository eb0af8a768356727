import type { RefillResult } from '../../backtest/refill-worth.ts'

/** Returns the worth of refills, one labelled line each. */
export function refillRows(result: RefillResult): readonly (readonly [string, string])[] {
  const { arrived, failed, underWay, brought, rejected, pnlUsd, fills } = result
  const tokens = Object.entries(brought).map(([asset, amount]) => `${amount} ${asset}`)
  return [
    [
      'refills',
      `${arrived} arrived, ${failed} failed, ${underWay} under way at the end; below ${result.below * 100} % of the opening, after ${result.delayHours} h, ${result.costBps} bps`,
    ],
    ['brought', tokens.length === 0 ? 'nothing' : tokens.join(', ')],
    [
      'fills with refills',
      `${fills}; takers that the pool could not pay: ${rejected.with} instead of ${rejected.without}`,
    ],
    ['PnL with refills', `${cents(pnlUsd.with)} USD, without ${cents(pnlUsd.without)} USD`],
    ['worth of refills', `${cents(result.worthUsd)} USD after ${cents(result.costUsd)} USD of cost`],
  ]
}

/** Truncates after two decimals, towards zero. */
function cents(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.')
  return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`
}
