import { invariant } from '../../../base/result.ts'
import { inverseRate, USD18_TO_USD54 } from '../../../core/ledger/book/value.ts'
import { type Asset, BOOK_DECIMALS, isStable } from '../../../base/money/asset.ts'
import { formatDecimalText, parseDecimalText } from '../../../base/money/decimal-text.ts'
import { type Rate, RATE_DECIMALS, RATE_ONE } from '../../../base/money/rate.ts'
import type { AccountTexts, CloseEntry, PnlTexts } from './document.ts'

/** Our holdings as book amounts: shillings, and the sum of all dollar tokens. */
type Held = { shillings: bigint; dollars: bigint }
type ValueClass = 'openings' | 'transfers' | 'costs' | 'unreconciled'

const CLASS_OF: Readonly<Record<CloseEntry['kind'], ValueClass | 'traded' | null>> = {
  opening: 'openings',
  fill: 'traded',
  'fill-undone': 'traded',
  'chain-correction': 'traded',
  'fee-correction': 'costs',
  'venue-rounding': 'costs',
  deposit: 'transfers',
  withdrawal: 'transfers',
  adjustment: 'unreconciled',
  sweep: null,
}

type DayFigures = {
  readonly accounts: Pick<AccountTexts, 'pool' | 'wallet'>
  readonly entries: readonly CloseEntry[]
  readonly mids: { readonly opening: string | null; readonly closing: string | null }
}

/**
 * Returns both identities over one day, from its entries and the venue's mid at each: value at the end = value at the
 * start + openings + transfers + terms, exactly. The first mid values what was booked before it. Null = no mid is
 * known. Signs and terms are the ledger's: docs/accounting.md.
 */
export function dayPnl({ accounts, entries, mids }: DayFigures): PnlTexts | null {
  const firstMid = mids.opening ?? entries.find(({ mid }) => mid !== null)?.mid ?? mids.closing
  if (firstMid === null) return null
  const sums = createSums(rateOf(firstMid), heldIn(accounts))
  for (const entry of entries) {
    if (entry.mid !== null) moveMark(sums, rateOf(entry.mid))
    addEntry(sums, entry)
  }
  if (mids.closing !== null) moveMark(sums, rateOf(mids.closing))
  return textsOf(sums)
}

type Sums = ReturnType<typeof createSums>

function createSums(mark: Rate, held: Held) {
  const classes = () => ({ openings: 0n, transfers: 0n, costs: 0n, unreconciled: 0n })
  return {
    mark,
    held,
    opening: valueOf(held, mark),
    tzs: { ...classes(), spreadCapture: 0n, staleMid: 0n, inventory: 0n },
    usd: { ...classes(), edge: 0n, inventory: 0n },
  }
}

function moveMark(sums: Sums, mark: Rate): void {
  const { shillings, dollars } = sums.held
  sums.tzs.inventory += dollars * (mark - sums.mark)
  sums.usd.inventory += shillings * (inverseRate(mark) - inverseRate(sums.mark))
  sums.mark = mark
}

function addEntry(sums: Sums, { kind, postings, fillMid }: CloseEntry): void {
  const moved: Held = { shillings: 0n, dollars: 0n }
  let touchesDollars = false
  for (const { account, asset, amount } of postings) {
    if (account !== 'pool' && account !== 'wallet') continue
    addUnits(moved, asset, bookAmountOf(amount))
    touchesDollars ||= isStable(asset)
  }
  const { mark, held, tzs, usd } = sums
  const valueClass = CLASS_OF[kind]
  const value = valueOf(moved, mark)
  if (valueClass === 'traded' && touchesDollars) {
    const mid = fillMid === null ? mark : rateOf(fillMid)
    tzs.spreadCapture += valueOf(moved, mid).tzs
    tzs.staleMid += moved.dollars * (mark - mid)
    usd.edge += value.usd
  } else if (valueClass !== null) {
    // Shillings for shillings is not a trade of this venue, so the ledger counts it as unreconciled.
    const name = valueClass === 'traded' ? 'unreconciled' : valueClass
    tzs[name] += value.tzs
    usd[name] += value.usd
  }
  held.shillings += moved.shillings
  held.dollars += moved.dollars
}

function textsOf({ mark, held, opening, tzs, usd }: Sums): PnlTexts {
  const closing = valueOf(held, mark)
  const tzsTotal = tzs.spreadCapture + tzs.staleMid + tzs.inventory + tzs.costs + tzs.unreconciled
  const usdTotal = usd.edge + usd.inventory + usd.costs + usd.unreconciled
  const rest = (now: bigint, before: bigint, of: { openings: bigint; transfers: bigint }, total: bigint) =>
    now - before - of.openings - of.transfers - total
  return {
    tzs: texts(36, {
      ...tzs,
      opening: opening.tzs,
      closing: closing.tzs,
      total: tzsTotal,
      residual: rest(closing.tzs, opening.tzs, tzs, tzsTotal),
    }),
    usd: texts(54, {
      ...usd,
      opening: opening.usd,
      closing: closing.usd,
      total: usdTotal,
      residual: rest(closing.usd, opening.usd, usd, usdTotal),
    }),
  }
}

function texts<Term extends string>(
  decimals: number,
  values: Readonly<Record<Term, bigint>>,
): Record<Term, string> {
  const pairs = (Object.entries(values) as [Term, bigint][]).map(([term, value]) => [
    term,
    formatDecimalText(value, decimals),
  ])
  return Object.fromEntries(pairs) as Record<Term, string>
}

function heldIn({ pool, wallet }: DayFigures['accounts']): Held {
  const held: Held = { shillings: 0n, dollars: 0n }
  for (const place of [pool, wallet])
    for (const [asset, amount] of Object.entries(place) as [Asset, string][])
      addUnits(held, asset, bookAmountOf(amount))
  return held
}

function addUnits(held: Held, asset: Asset, amount: bigint): void {
  if (asset === 'NTZS') held.shillings += amount
  else held.dollars += amount
}

/** TZS with 36 decimals, and USD with 54. */
function valueOf({ shillings, dollars }: Held, mark: Rate): { readonly tzs: bigint; readonly usd: bigint } {
  return {
    tzs: shillings * RATE_ONE + dollars * mark,
    usd: dollars * USD18_TO_USD54 + shillings * inverseRate(mark),
  }
}

/** Returns the book amount of a close's text, whose form was validated when it was read. */
export function bookAmountOf(text: string): bigint {
  return exact(text, BOOK_DECIMALS)
}

function rateOf(text: string): Rate {
  return exact(text, RATE_DECIMALS)
}

function exact(text: string, decimals: number): bigint {
  const parsed = parseDecimalText(text, decimals)
  invariant(parsed.ok, `${text} is an exact amount`)
  return parsed.value
}
