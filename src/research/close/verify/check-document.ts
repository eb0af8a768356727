import { ASSETS, type Asset } from '../../../base/money/asset.ts'
import { accountsOf, postTo, textsOf } from '../document/accounts.ts'
import { canonicalJson } from '../document/canonical.ts'
import { daySpan } from '../document/day-span.ts'
import { bookAmountOf, dayPnl } from '../document/day-pnl.ts'
import { ACCOUNTS, type CloseDocument, type CloseEntry } from '../document/document.ts'
import type { Unfilled } from './corrections.ts'

/** Returns the figures that do not follow from the close's own entries, a sentence each; empty = all figures add up. */
export function checkDocument(close: CloseDocument): readonly string[] {
  return [
    ...checkAlone(close),
    ...unfilledEntries(close).map(({ number, fillId }) => `entry ${number} has no fill ${fillId}`),
  ]
}

/** The same check without entries that lack a fill, which a later close may explain. */
export function checkAlone(close: CloseDocument): readonly string[] {
  return [
    ...checkSpan(close),
    ...checkEntries(close),
    ...checkAccounts(close),
    ...checkFills(close),
    ...checkTreasury(close),
  ]
}

function checkSpan({ day, timezone, from, to, journal }: CloseDocument): readonly string[] {
  const span = spanOf(day, timezone)
  const fits = span !== null && Date.parse(from) === span.from && Date.parse(to) === span.to
  return [
    ...(fits ? [] : [`${from} to ${to} is not ${day} in ${timezone}`]),
    ...(journal.last >= journal.first - 1 ? [] : ['its events end before they begin']),
  ]
}

function spanOf(day: string, timezone: string): ReturnType<typeof daySpan> {
  try {
    return daySpan(day, timezone)
  } catch {
    // An outside name that is not a time zone.
    return null
  }
}

function checkEntries({ entries, journal }: CloseDocument): readonly string[] {
  return entries.flatMap(({ number, seq, postings }, index) => {
    const before = entries[index - 1]
    return [
      ...(before === undefined || (number > before.number && seq >= before.seq)
        ? []
        : [`entry ${number} does not follow entry ${before.number}`]),
      ...(seq >= journal.first && seq <= journal.last ? [] : [`entry ${number} is not of this day's events`]),
      ...unevenTokens(postings).map((asset) => `entry ${number} does not sum to zero in ${asset}`),
    ]
  })
}

function unevenTokens(
  postings: readonly { readonly asset: Asset; readonly amount: string }[],
): readonly Asset[] {
  return ASSETS.filter(
    (asset) =>
      postings.reduce((sum, one) => (one.asset === asset ? sum + bookAmountOf(one.amount) : sum), 0n) !== 0n,
  )
}

function checkAccounts({ accounts, entries, mids, pnl }: CloseDocument): readonly string[] {
  const units = accountsOf(accounts.opening)
  for (const { postings } of entries) for (const posting of postings) postTo(units, posting)
  const uneven = ASSETS.filter(
    (asset) => ACCOUNTS.reduce((sum, account) => sum + units[account][asset], 0n) !== 0n,
  )
  const own = dayPnl({ accounts: accounts.opening, entries, mids })
  return [
    ...(canonicalJson(textsOf(units)) === canonicalJson(accounts.closing)
      ? []
      : ['opening and entries do not lead to the closing balances']),
    ...uneven.map((asset) => `all accounts together do not sum to zero in ${asset}`),
    ...(canonicalJson(own) === canonicalJson(pnl) ? [] : ['the PnL does not follow from entries and mids']),
    ...(own === null || (own.tzs.residual === '0' && own.usd.residual === '0')
      ? []
      : ['the residual of the PnL is not zero']),
  ]
}

/** Checks that every fill has an entry that moved exactly its amounts, including the fee if it left the position. */
function checkFills({ fills, entries }: CloseDocument): readonly string[] {
  const booked = bookedFills(entries)
  const seen = new Set<string>()
  return fills.flatMap((fill) => {
    const id = String(fill['id'])
    const entry = booked.get(id)
    if (seen.has(id)) return [`fill ${id} is there twice`]
    seen.add(id)
    if (entry === undefined) return [`fill ${id} has no entry`]
    return isFillOf(entry, fill) ? [] : [`fill ${id} and its entry ${entry.number} move different amounts`]
  })
}

/** Returns the entries of fills that are missing, unless this close has or names an entry that took them back. */
export function unfilledEntries({ fills, entries, undoneLater = [] }: CloseDocument): readonly Unfilled[] {
  const booked = bookedFills(entries)
  const known = new Set(fills.map(({ id }) => String(id)))
  const takenBack = new Map([
    ...entries.flatMap(({ kind, fillId, number }) =>
      kind === 'fill-undone' ? [[fillId ?? '', number] as const] : [],
    ),
    ...undoneLater.map(({ fillId, number }) => [fillId, number] as const),
  ])
  return entries.flatMap(({ kind, fillId, number }) => {
    const id = fillId ?? ''
    const hasFill = known.has(id) && booked.get(id)?.number === number
    return kind === 'fill' && !hasFill && (takenBack.get(id) ?? 0) <= number ? [{ number, fillId: id }] : []
  })
}

function bookedFills(entries: readonly CloseEntry[]): ReadonlyMap<string, CloseEntry> {
  return new Map(entries.filter(({ kind }) => kind === 'fill').map((entry) => [entry.fillId ?? '', entry]))
}

function isFillOf({ postings }: CloseEntry, fill: CloseDocument['fills'][number]): boolean {
  const moved = new Map<string, bigint>()
  for (const { account, asset, amount } of postings)
    if (account === 'pool' || account === 'wallet')
      moved.set(asset, (moved.get(asset) ?? 0n) + bookAmountOf(amount))
  const { inAsset, outAsset, amountIn, amountOut, fee } = fill
  const token = (name: unknown) => ASSETS.find((asset) => asset === name)
  const [bought, sold] = [token(inAsset), token(outAsset)]
  if (bought === undefined || sold === undefined || bought === sold) return bought !== undefined
  try {
    const out = bookAmountOf(String(amountOut))
    const left = -(moved.get(sold) ?? 0n)
    const hasFee = left === out || left === out + bookAmountOf(String(fee))
    return hasFee && moved.get(bought) === bookAmountOf(String(amountIn))
  } catch {
    // An outside cell that is not an amount.
    return false
  }
}

function checkTreasury({ treasury }: CloseDocument): readonly string[] {
  if (treasury === null) return []
  const moved = new Map<string, bigint>()
  for (const { account, asset, opening } of treasury.accounts)
    moved.set(`${account} ${asset}`, bookAmountOf(opening))
  for (const { postings } of treasury.entries)
    for (const { account, asset, amount } of postings) {
      const key = `${account} ${asset}`
      moved.set(key, (moved.get(key) ?? 0n) + bookAmountOf(amount))
    }
  const closing = new Map(
    treasury.accounts.map(({ account, asset, closing: at }) => [`${account} ${asset}`, bookAmountOf(at)]),
  )
  const differs = [...moved].filter(([key, amount]) => (closing.get(key) ?? 0n) !== amount)
  return [
    ...treasury.entries.flatMap(({ reason, postings }) =>
      unevenTokens(postings).map(
        (asset) => `an entry of the treasury (${reason}) does not sum to zero in ${asset}`,
      ),
    ),
    ...differs.map(([key]) => `the treasury's ${key} does not follow from its opening and entries`),
  ]
}
