import { zonedDayText } from '../document/day-span.ts'
import type { CloseDocument } from '../document/document.ts'

/** An entry whose fill is missing from its close. */
export type Unfilled = { readonly number: number; readonly fillId: string }

const MOST_IDS = 5

/**
 * Returns the corrections of earlier closes, a sentence each: fills that were taken back, and fills reported after the end
 * of their day. Both are booked in the close of a later day; the earlier close is not changed.
 */
export function correctionsOf(closes: readonly CloseDocument[]): readonly string[] {
  return closes.flatMap((close) => [...takenBack(close, closes), ...bookedLate(close, closes)])
}

function takenBack({ day, entries }: CloseDocument, closes: readonly CloseDocument[]): readonly string[] {
  return entries.flatMap(({ kind, fillId, number }) => {
    if (kind !== 'fill-undone') return []
    const booked = closes
      .flatMap((of) => of.entries.map((entry) => ({ of: of.day, ...entry })))
      .findLast((entry) => entry.kind === 'fill' && entry.fillId === fillId && entry.number < number)
    if (booked === undefined || booked.of === day) return []
    return [
      `${day}: entry ${number} takes back fill ${fillId}, which entry ${booked.number} of ${booked.of} had booked; the close of ${booked.of} stays as it is`,
    ]
  })
}

function bookedLate(
  { day, from, timezone, fills }: CloseDocument,
  closes: readonly CloseDocument[],
): readonly string[] {
  const late = fills.flatMap(({ id, createdAt }) => {
    const t = Date.parse(String(createdAt))
    return t < Date.parse(from) ? [{ id: String(id), of: zonedDayText(t, timezone) }] : []
  })
  return [...Map.groupBy(late, ({ of }) => of)]
    .filter(([of]) => closes.some((close) => close.day === of))
    .map(([of, those]) => {
      const ids = those.slice(0, MOST_IDS).map(({ id }) => id)
      const rest = those.length > MOST_IDS ? `, and ${those.length - MOST_IDS} more` : ''
      return `${day}: booked here and not in the close of ${of}, because the venue reported them after its end: fill ${ids.join(', ')}${rest}`
    })
}

/**
 * Returns the entry of a later close that took this fill back, or null. Closes of earlier versions do not list what was
 * taken back between the end of their day and their creation.
 */
export function takenBackBy(
  { number, fillId }: Unfilled,
  later: readonly CloseDocument[],
): { readonly day: string; readonly number: number } | null {
  for (const { day, entries } of later) {
    const by = entries.find(
      (entry) => entry.kind === 'fill-undone' && entry.fillId === fillId && entry.number > number,
    )
    if (by !== undefined) return { day, number: by.number }
  }
  return null
}
