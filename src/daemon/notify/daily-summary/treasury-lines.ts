import type { TreasuryDay } from '../../view/treasury/treasury-day.ts'
import { minus, plainFigure, signed } from '../figure-text.ts'

/**
 * Returns the treasury's part of the daily summary: where its tokens are, flows since the last summary and their cost. `costsBefore`: the
 * costs at the last summary; null = unknown. `day` null = the treasury does not answer.
 */
export function treasuryLines(day: TreasuryDay | null, costsBefore: string | null): readonly string[] {
  if (day === null) return ['treasury: unknown, because it does not answer']
  const { onHand, unread, inTransit, claims, arrived, paidOut, costs } = day
  const without = unread.length === 0 ? '' : ` (without what cannot be read: ${unread.join(', ')})`
  const held = onHand === null ? 'not known yet' : `${tokensText(onHand)}${without}`
  return [
    `treasury: on hand ${held}; in transit ${tokensText(inTransit)}; claims ${tokensText(claims)}`,
    `  arrived ${tokensText(arrived)}; paid out ${tokensText(paidOut)}; ${costsText(costs, costsBefore)}`,
  ]
}

function costsText(costs: string | null, before: string | null): string {
  if (costs === null) return 'costs unknown'
  if (before === null) return `costs in total ${signed(costs)} TZS`
  return `costs ${signed(minus(costs, before))} TZS`
}

function tokensText(amounts: TreasuryDay['inTransit']): string {
  const some = Object.entries(amounts).filter(([, amount]) => amount !== '0')
  return some.length === 0
    ? 'none'
    : some.map(([asset, amount]) => `${plainFigure(amount)} ${asset}`).join(', ')
}
