import type { HoldingsView } from './holdings-view.ts'

type Reading = Pick<HoldingsView, 'at' | 'unreadable'>

/**
 * Why the balance of a place is unknown: a reading that failed is a fault, while a place that no one reads (the platform's
 * wallet has no route for it, the float is read with a ramp alone) is none.
 */
export function unknownPlace(
  place: HoldingsView['places'][number]['place'],
  { at, unreadable }: Reading,
): { readonly words: string; readonly isFault: boolean } {
  if (unreadable.some(({ rail }) => rail === place)) return { words: 'could not be read', isFault: true }
  const isAlwaysRead = place !== 'platform' && place !== 'float'
  return { words: isAlwaysRead && at === null ? 'not read yet' : 'not read', isFault: false }
}
