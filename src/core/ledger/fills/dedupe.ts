import type { Ms } from '../../../base/time.ts'
import { type Asset, type BookAmount, toBook } from '../../../base/money/asset.ts'
import type { Fill } from './fill.ts'

/** Number of fills that are remembered; the venue's own window is 100. */
export const REMEMBERED_FILLS = 2_000

/**
 * The fills seen before. Plain data: a record used as a set, and a ring that determines which id to forget next. Keys have a
 * prefix, so external ids such as '__proto__' or '17' have no special meaning in the record.
 */
export type FillDedupCache = {
  known: Record<string, Remembered>
  ring: string[]
  /** Position of the next id once the ring is full. */
  next: number
  /** A row with an unknown id dated at or before this may be a forgotten one. */
  judgedUpTo: Ms | null
  newestAt: Ms | null
}

type Remembered = {
  readonly at: Ms | null
  /** Absent in snapshots of older versions: only the amounts are compared. */
  readonly inAsset?: Asset
  readonly outAsset?: Asset
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Remembered by a version that counted each token in its own units; absent = book amounts. */
  readonly inTokens?: true
}

/**
 * - `new`: never seen.
 * - `known`: already seen and skipped.
 * - `changed`: the id was seen with other tokens or amounts, so one of the two is wrong.
 * - `too-old`: older than the remembered fills, so it may already be booked.
 */
type FillClass = 'new' | 'known' | 'changed' | 'too-old'

export function createFillDedupCache(): FillDedupCache {
  return { known: {}, ring: [], next: 0, judgedUpTo: null, newestAt: null }
}

/** Returns the class of a row, without remembering the row. */
export function classifyFill(memory: FillDedupCache, fill: Fill, key = keyOf(fill)): FillClass {
  const seen = memory.known[key]
  if (seen !== undefined) {
    const { inAsset = fill.inAsset, outAsset = fill.outAsset } = seen
    return inAsset === fill.inAsset &&
      outAsset === fill.outAsset &&
      isSeen(seen, seen.amountIn, fill.amountIn, inAsset) &&
      isSeen(seen, seen.amountOut, fill.amountOut, outAsset)
      ? 'known'
      : 'changed'
  }
  const { judgedUpTo } = memory
  return judgedUpTo !== null && fill.createdAt !== null && fill.createdAt <= judgedUpTo ? 'too-old' : 'new'
}

function isSeen({ inTokens }: Remembered, before: bigint, now: BookAmount, asset: Asset): boolean {
  return (inTokens === true ? toBook(before, asset) : before) === now
}

/** Remembers a new row; when the ring is full, forgets the oldest one. */
export function rememberFill(memory: FillDedupCache, fill: Fill, key = keyOf(fill)): void {
  if (memory.ring.length < REMEMBERED_FILLS) memory.ring.push(key)
  else {
    forget(memory, memory.ring[memory.next])
    memory.ring[memory.next] = key
    memory.next = (memory.next + 1) % REMEMBERED_FILLS
  }
  const { createdAt: at, inAsset, amountIn, outAsset, amountOut } = fill
  memory.known[key] = { at, inAsset, amountIn, outAsset, amountOut }
  memory.newestAt = latest(memory.newestAt, fill.createdAt)
}

/** Opens the books: from now on an unknown row that is dated before the newest known one is part of the opening. */
export function closeHistory(memory: FillDedupCache): void {
  if (memory.newestAt !== null) memory.judgedUpTo = latest(memory.judgedUpTo, memory.newestAt - 1)
}

/** Call it once per row, because a concatenated text is hashed again each time. */
function keyOf({ id }: Fill): string {
  return `#${id}`
}

function forget(memory: FillDedupCache, key: string | undefined): void {
  if (key === undefined) return
  memory.judgedUpTo = latest(memory.judgedUpTo, memory.known[key]?.at ?? null)
  delete memory.known[key]
}

function latest(a: Ms | null, b: Ms | null): Ms | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}

/** The rows of one poll by class. */
export type DedupedFills = {
  /** To be posted, oldest first, each exactly once. Empty before the opening. */
  readonly fresh: readonly Fill[]
  /** Same id, other tokens or amounts than before: posted as first seen; one of the two is wrong. */
  readonly changed: readonly Fill[]
  /** Unknown but older than the remembered fills: not posted, because only the balances show whether they were booked. */
  readonly tooOld: readonly Fill[]
  /** Rows that earlier polls had, not counting duplicates within this poll. */
  readonly seenBefore: number
  /** Rows never seen before, posted or not. */
  readonly added: number
}

/**
 * Returns the new rows and remembers them: a row that is reported twice, in any order and to any process of this position, is
 * new only once. Rows that were seen before the opening are part of it.
 */
export function dedupeFills(
  { memory, opened }: { readonly memory: FillDedupCache; readonly opened: boolean },
  rows: readonly Fill[],
): DedupedFills {
  const fresh: Fill[] = []
  const changed: Fill[] = []
  const tooOld: Fill[] = []
  let seenBefore = 0
  for (const row of rows) {
    const key = keyOf(row)
    const found = classifyFill(memory, row, key)
    if (found === 'known' || found === 'changed') {
      // A row that occurs twice in one answer does not prove overlap with an earlier answer.
      if (!isAmong(fresh, row) && !isAmong(tooOld, row)) seenBefore += 1
      if (found === 'changed') changed.push(row)
    } else {
      rememberFill(memory, row, key)
      if (found === 'too-old') tooOld.push(row)
      else fresh.push(row)
    }
  }
  const added = fresh.length + tooOld.length
  return { fresh: opened ? fresh : [], changed, tooOld, seenBefore, added }
}

function isAmong(rows: readonly Fill[], { id }: Fill): boolean {
  return rows.some((row) => row.id === id)
}
