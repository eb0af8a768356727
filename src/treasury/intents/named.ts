import type { TreasuryTransition } from '../transition.ts'
import { withNamed } from '../books/claim-evidence.ts'
import type { Leg, LegKind } from '../model/intent.ts'

/** Kinds of legs whose resource can be read by its id. Source: partner-api.md, endpoints. */
const READABLE: readonly LegKind[] = ['deposit', 'withdrawal', 'onramp', 'offramp']

/** An answer that decides nothing named a resource: it is read at once, or what it named is evidence where it cannot be. */
export function takeNamed({ now }: TreasuryTransition, leg: Leg, id: string, words: string): void {
  if (leg.resourceId !== null) return
  leg.evidence = withNamed(leg, id, now, words)
  if (!READABLE.includes(leg.kind)) return
  leg.named = id
  leg.dueAt = now
}

/** A list has a resource that fits: it is read once, and followed as one that an answer named. */
export function takeListed({ now }: TreasuryTransition, leg: Leg, id: string): boolean {
  const wasRead = leg.evidence?.some(({ reference }) => reference === id) === true
  if (leg.stage !== 'silent' || leg.resourceId !== null || wasRead) return false
  leg.named = id
  leg.dueAt = now
  return true
}

/** Follows what an answer named once it shows our amount and destination; else it stays evidence, and is not read again. */
export function adopt(
  { now }: TreasuryTransition,
  leg: Leg,
  { id, not }: { readonly id: string; readonly not: string | null },
): boolean {
  if (leg.named !== id) return leg.resourceId === id
  delete leg.named
  if (not === null) leg.resourceId = id
  else leg.evidence = withNamed(leg, id, now, `it was read: ${not}`)
  leg.dueAt = now
  return not === null
}
