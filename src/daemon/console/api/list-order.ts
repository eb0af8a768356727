import type { PositionSummary } from '../../view/position-summary.ts'
import { microDollars, SUMMED, type Summed } from './list-totals.ts'
import { byName, byTrouble } from './trouble.ts'

/** Sort orders of a list: positions in trouble first, by name, or by amount with the largest first. */
export const LIST_SORTS = ['trouble', 'name', ...SUMMED] as const
export type ListSort = 'trouble' | 'name' | Summed

type Order = (one: PositionSummary, other: PositionSummary) => number

export function orderOf(sort: ListSort): Order {
  if (sort === 'trouble') return byTrouble
  if (sort === 'name') return byName
  return (one, other) => byMoney(microDollars(one[sort]), microDollars(other[sort])) || byName(one, other)
}

/** Whether the name of the position or its strategy contains the text (case-insensitive). */
export function isNamed({ name, strategy }: PositionSummary, search: string): boolean {
  const text = search.trim().toLowerCase()
  return name.toLowerCase().includes(text) || (strategy ?? '').toLowerCase().includes(text)
}

/** Unknown amounts come last. */
function byMoney(one: bigint | null, other: bigint | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return one === other ? 0 : one > other ? -1 : 1
}
