import { withNamed } from '../books/claim-evidence.ts'
import type { LegKind } from '../model/intent.ts'
import type { LegAt } from './moves.ts'

/** Kinds of legs whose resource can be read by id. Source: partner-api.md, endpoints. */
const READABLE: readonly LegKind[] = ['deposit', 'withdrawal', 'onramp', 'offramp']

/** Stores the resource that an undecided answer named as evidence, and reads it at once if its kind allows. */
export function takeNamed({ now, leg }: LegAt, id: string, words: string): void {
  if (leg.resourceId !== null) return
  leg.evidence = withNamed(leg, id, now, words)
  if (!READABLE.includes(leg.kind)) return
  leg.named = id
  leg.dueAt = now
}

/** Handles a fitting resource from a list: reads it once, then follows it like one that an answer named. */
export function takeListed({ now, leg }: LegAt, id: string): boolean {
  const wasRead = leg.evidence?.some(({ reference }) => reference === id) === true
  if (leg.stage !== 'silent' || leg.resourceId !== null || wasRead) return false
  leg.named = id
  leg.dueAt = now
  return true
}

/** Follows a named resource with our amount and destination; stores any other as evidence, without a second read. */
export function adopt(
  { now, leg }: LegAt,
  { id, not }: { readonly id: string; readonly not: string | null },
): boolean {
  if (leg.named !== id) return leg.resourceId === id
  delete leg.named
  if (not === null) leg.resourceId = id
  else leg.evidence = withNamed(leg, id, now, `it was read: ${not}`)
  leg.dueAt = now
  return not === null
}
