import type { Ms } from '../../../base/time.ts'
import { type Asset, ASSETS, type Amounts } from '../../../base/money/asset.ts'
import type { Location } from '../book/book.ts'
import type { QuarantinedRow } from '../fills/fill.ts'
import type { ReconciliationAction } from './actions.ts'
import type { ReconciliationState, UnreadableState } from './state.ts'
import { answeredBetween } from './pending.ts'
import { setStatus } from './status.ts'

/** Two windows of the venue's fills. */
const KEPT_ROWS = 200
const NO_ACTIONS: readonly ReconciliationAction[] = []
/** Represents the unreadable rows beyond those that are kept. */
const MORE_ROWS = 'row of many'

/** Records an unreadable figure, which ends `reconciled` at once. */
export function recordUnreadable(
  state: ReconciliationState,
  source: string,
  why: string,
  t: Ms,
): ReconciliationAction[] {
  const { unreadable } = state
  const { figures, accepted } = unreadable
  if (accepted.includes(source) || figures[source] !== undefined) return []
  if (!isAnyUnreadable(state)) unreadable.answeredAt = t
  const rows = Object.keys(figures).filter((one) => one.startsWith('row '))
  const name = source.startsWith('row ') && rows.length >= KEPT_ROWS ? MORE_ROWS : source
  if (figures[name] !== undefined) return []
  figures[name] = { why, answeredMs: unreadable.answeredMs }
  const out: ReconciliationAction[] = [{ do: 'alertUnreadable', message: why }]
  const { isMatched } = unreadable
  if (state.state === 'reconciled') setStatus(state, out, 'pending', why, {})
  unreadable.isMatched = isMatched && !needsNewProof(source)
  return out
}

/** Balances, fills and rows put the books in doubt until the next reading equals the ledger; a mid or a quote does not. */
function needsNewProof(source: string): boolean {
  return source === 'fills' || source.startsWith('balances') || source.startsWith('row ')
}

/** Called at nearly every event, so it creates no list. */
export function isAnyUnreadable({ unreadable }: ReconciliationState): boolean {
  for (const _source in unreadable.figures) return true
  return false
}

/** Clears sources that can be read again or, with `isAccepted`, no longer count. */
export function clearUnreadable(
  state: ReconciliationState,
  isCleared: (source: string) => boolean,
  isAccepted = false,
): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  const { unreadable } = state
  const { figures } = unreadable
  const cleared = Object.keys(figures).filter(isCleared)
  if (cleared.length === 0) return out
  for (const source of cleared) delete figures[source]
  if (!isAccepted && cleared.some(needsNewProof)) unreadable.isMatched = false
  if (unreadable.isMatched) setStatus(state, out, 'reconciled', 'every figure can be read again', {})
  else out.push({ do: 'poll', what: 'balances', why: 'unreadable figures can be read again' })
  return out
}

/**
 * Drops unreadable rows without an id, which can never be matched with a readable version. If the balances match, they stop
 * counting once an answer contains none of them. `bad`: the unreadable rows of the answer.
 */
export function forgetNamelessRows(
  state: ReconciliationState,
  bad: readonly string[],
): readonly ReconciliationAction[] {
  const { isMatched, accepted } = state.unreadable
  const isNameless = (source: string) => source.startsWith('row ') && !source.startsWith('row #')
  const open = bad.filter((row) => !accepted.includes(row))
  if (!isMatched || open.some(isNameless)) return NO_ACTIONS
  return clearUnreadable(
    state,
    (source) => isNameless(source) && (source !== MORE_ROWS || open.length === 0),
    true,
  )
}

/** Counts an answer of the venue. Returns how long the oldest figure has been unreadable, before and now, or null. */
export function countUnreadable(
  state: ReconciliationState,
  t: Ms,
): { readonly before: Ms; readonly now: Ms } | null {
  const { unreadable } = state
  if (!isAnyUnreadable(state)) return null
  const before = longest(unreadable)
  unreadable.answeredMs += answeredBetween(unreadable.answeredAt, t)
  unreadable.answeredAt = t
  return { before, now: longest(unreadable) }
}

type LongestUnreadable = {
  readonly why: string
  /** Answered time. */
  readonly ms: Ms
  /** The answered time if the next answer arrived now. */
  readonly expectedMs: Ms
}

/** Returns how long the oldest figure has been unreadable, with all reasons, or null. */
export function longestUnreadable(state: ReconciliationState, now: Ms): LongestUnreadable | null {
  const { unreadable } = state
  if (!isAnyUnreadable(state)) return null
  const ms = longest(unreadable)
  return {
    why: unreadableTexts(state).join('; '),
    ms,
    expectedMs: ms + answeredBetween(unreadable.answeredAt, now),
  }
}

/** Returns route, field and reason of each, the oldest first. */
export function unreadableTexts({ unreadable }: ReconciliationState): readonly string[] {
  return Object.values(unreadable.figures).map(({ why }) => why)
}

function longest({ figures, answeredMs }: UnreadableState): Ms {
  return Object.values(figures).reduce((most, one) => Math.max(most, answeredMs - one.answeredMs), 0)
}

/**
 * Restarts the clock of unreadable figures after an operator has looked. If the balances equal the ledger, the unreadable rows
 * stop counting; returns those rows.
 */
export function acceptUnreadable(state: ReconciliationState): {
  readonly rows: readonly string[]
  readonly actions: readonly ReconciliationAction[]
} {
  const { unreadable } = state
  for (const figure of Object.values(unreadable.figures)) figure.answeredMs = unreadable.answeredMs
  if (!unreadable.isMatched) return { rows: [], actions: [] }
  const rows = Object.keys(unreadable.figures).filter((source) => source.startsWith('row '))
  for (const row of rows) acceptRow(unreadable, row)
  return { rows, actions: clearUnreadable(state, (source) => rows.includes(source), true) }
}

/** Stops counting a row. */
export function acceptRow(unreadable: UnreadableState, row: string): void {
  if (unreadable.accepted.includes(row)) return
  unreadable.accepted.push(row)
  if (unreadable.accepted.length > KEPT_ROWS) unreadable.accepted.shift()
}

/** Returns the name of a row: its id, or a hash of a row without an id. */
export function rowSource({ id, raw }: Pick<QuarantinedRow, 'id' | 'raw'>): string {
  return id === null ? `row ${hashOf(raw)}` : `row #${id}`
}

/** FNV-1a with 64 bits, as hexadecimal text. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let n = 0; n < text.length; n++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(n))) * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}

/**
 * Records a readable balance reading. A missing token is unreadable if the venue stated it before at the same source and the
 * ledger holds some; a token that was never stated there is not.
 */
export function recordStated(
  state: ReconciliationState,
  reading: { readonly amounts: Readonly<Partial<Amounts>>; readonly where: Location; readonly t: Ms },
  held: Readonly<Amounts>,
): readonly ReconciliationAction[] {
  const { amounts, where, t } = reading
  const { stated } = state.unreadable
  const before = stated[where] ?? []
  const isMissing = (asset: Asset) =>
    amounts[asset] === undefined && before.includes(asset) && held[asset] !== 0n
  const missing = ASSETS.filter(isMissing)
  const isNew = (asset: Asset) => amounts[asset] !== undefined && !before.includes(asset)
  if (ASSETS.some(isNew)) stated[where] = ASSETS.filter((asset) => before.includes(asset) || isNew(asset))
  const out = clearUnreadable(
    state,
    (source) =>
      source === 'balances' ||
      (source.startsWith('balances ') && !missing.some((asset) => source === `balances ${asset}`)),
  )
  for (const asset of missing) {
    const why = `GET /balances: ${asset} is no longer stated, but the ledger holds some in the ${where}`
    out.push(...recordUnreadable(state, `balances ${asset}`, why, t))
  }
  return out
}
