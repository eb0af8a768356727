import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { TreasuryPosting } from '../model/observation.ts'
import { type Holdings, type ReadPlace, TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import { dayNumberOf, civilMomentOf } from '../policy/calendar/civil-day.ts'
import type { BankLine } from './bank-line.ts'

/** One booked entry; its postings sum to zero per token. */
export type BookedEntry = {
  readonly t: Ms
  readonly intent: string
  readonly reason: string
  readonly postings: readonly TreasuryPosting[]
}

type Units = Readonly<Record<TreasuryAsset, bigint>>

export type StatementInput = {
  /** YYYY-MM, in East Africa Time. */
  readonly month: string
  readonly entries: readonly BookedEntry[]
  /** The venue's last reported balances in the month; null = not recorded. */
  readonly read: { readonly at: Ms; readonly holdings: Holdings } | null
  /** On-chain balances at the end of the month; a missing place was not read. */
  readonly chain: Readonly<Partial<Record<ReadPlace, Units>>> | null
  /** Lines of the bank's own file; null = not imported. */
  readonly bank: readonly BankLine[] | null
}

/** An account and token over the month, base units: closing = opening + came - left. */
export type StatementLine = {
  readonly account: string
  readonly asset: TreasuryAsset
  readonly opening: bigint
  readonly came: bigint
  readonly left: bigint
  readonly closing: bigint
}

export type StatementMovement = {
  /** Movements of one entry share its number, counted from 1 over all months. */
  readonly entry: number
  readonly t: Ms
  readonly intent: string
  readonly reason: string
  readonly account: string
  readonly asset: TreasuryAsset
  readonly amount: bigint
  /** The account's balance after it. */
  readonly balance: bigint
}

/** A figure of the books next to the same figure from another source; residual = theirs minus ours. */
type StatementTie = {
  readonly with: 'books' | 'venue' | 'chain' | 'bank'
  readonly what: string
  readonly asset: TreasuryAsset
  readonly ours: bigint
  readonly theirs: bigint
  readonly residual: bigint
}

export type Statement = {
  readonly month: string
  /** From the first moment of the month to the first of the next one. */
  readonly from: Ms
  readonly to: Ms
  readonly lines: readonly StatementLine[]
  readonly movements: readonly StatementMovement[]
  readonly ties: readonly StatementTie[]
  /** Sentences about the sources that the month was not compared with. */
  readonly untied: readonly string[]
  /** Every residual is zero. */
  readonly isTied: boolean
}

/** Value moves between these places at any time, so their sum is compared. */
const POSITION: readonly ReadPlace[] = ['pool', 'lpWallet']

/** Returns a month's statement, tied to books, venue, chain and bank. Errors unless the month is YYYY-MM. */
export function monthStatement(input: StatementInput): Result<Statement, string> {
  const span = monthSpan(input.month)
  if (span === null)
    return err(`${JSON.stringify(input.month)} is not a month; expected a month such as 2026-11`)
  const { from, to } = span
  const balances = new Map<string, bigint>()
  const lines = new Map<string, { -readonly [Key in keyof StatementLine]: StatementLine[Key] }>()
  const movements: StatementMovement[] = []
  for (const [index, { t, intent, reason, postings }] of input.entries.entries()) {
    if (t >= to) continue
    for (const { account: booked, asset, amount } of postings) {
      const account = statementAccount(booked)
      const key = `${account} ${asset}`
      const balance = (balances.get(key) ?? 0n) + amount
      balances.set(key, balance)
      const line = lines.get(key) ?? { account, asset, opening: 0n, came: 0n, left: 0n, closing: 0n }
      lines.set(key, line)
      line.closing = balance
      if (t < from) {
        line.opening = balance
        continue
      }
      if (amount > 0n) line.came += amount
      else line.left -= amount
      movements.push({ entry: index + 1, t, intent, reason, account, asset, amount, balance })
    }
  }
  const shown = [...lines.values()].filter(isShown).toSorted(byAccount)
  const ties = [
    ...tiesOfBooks(shown),
    ...tiesOfVenue(shown, input),
    ...tiesOfChain(shown, input),
    ...tiesOfBank(shown, input),
  ]
  return ok({
    month: input.month,
    from,
    to,
    lines: shown,
    movements,
    ties,
    untied: untiedOf(input),
    isTied: ties.every(({ residual }) => residual === 0n),
  })
}

/** Returns the bounds of a month in East Africa Time; null = not YYYY-MM. */
export function monthSpan(month: string): { readonly from: Ms; readonly to: Ms } | null {
  const match = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month)
  if (match === null) return null
  const [year, number] = [Number(match[1]), Number(match[2])]
  const next = number === 12 ? { year: year + 1, month: 1 } : { year, month: number + 1 }
  return {
    from: civilMomentOf(dayNumberOf({ year, month: number, day: 1 }), 0),
    to: civilMomentOf(dayNumberOf({ ...next, day: 1 }), 0),
  }
}

/** Groups the transit and claims of all intents into one account each: a month has hundreds of intents. */
function statementAccount(account: string): string {
  const [kind = account, intent] = account.split(':')
  return intent === undefined ? account : kind
}

function isShown({ opening, came, left, closing }: StatementLine): boolean {
  return opening !== 0n || closing !== 0n || came !== 0n || left !== 0n
}

function byAccount(a: StatementLine, b: StatementLine): number {
  if (a.account !== b.account) return a.account < b.account ? -1 : 1
  return TREASURY_ASSETS.indexOf(a.asset) - TREASURY_ASSETS.indexOf(b.asset)
}

/** Ties double entry: all accounts sum to zero at the beginning and at the end, and lines add up. */
function tiesOfBooks(lines: readonly StatementLine[]): readonly StatementTie[] {
  return TREASURY_ASSETS.flatMap((asset) => {
    const own = lines.filter((line) => line.asset === asset)
    if (own.length === 0) return []
    const sum = (of: (line: StatementLine) => bigint) => own.reduce((total, line) => total + of(line), 0n)
    const moved = sum(({ opening, came, left }) => opening + came - left)
    return [
      tie(
        'books',
        'all accounts sum to zero at the end',
        asset,
        sum(({ closing }) => closing),
        0n,
      ),
      tie(
        'books',
        'opening and movements lead to the closing',
        asset,
        sum(({ closing }) => closing),
        moved,
      ),
    ]
  })
}

function tiesOfVenue(lines: readonly StatementLine[], { read }: StatementInput): readonly StatementTie[] {
  if (read === null) return []
  const groups: readonly (readonly ReadPlace[])[] = [POSITION, ['treasury'], ['platform'], ['float']]
  return groups.flatMap((places) => {
    if (places.some((place) => read.holdings[place] === null)) return []
    return TREASURY_ASSETS.flatMap((asset) => {
      const theirs = places.reduce((sum, place) => sum + (read.holdings[place]?.[asset] ?? 0n), 0n)
      const ours = places.reduce((sum, place) => sum + closingOf(lines, place, asset), 0n)
      return ours === 0n && theirs === 0n ? [] : [tie('venue', places.join(' and '), asset, ours, theirs)]
    })
  })
}

function tiesOfChain(lines: readonly StatementLine[], { chain }: StatementInput): readonly StatementTie[] {
  return Object.entries(chain ?? {}).flatMap(([place, held]) =>
    TREASURY_ASSETS.map((asset) => tie('chain', place, asset, closingOf(lines, place, asset), held[asset])),
  )
}

/** Ties the bank's lines of the month to the books: the bank account lost what the desk received. */
function tiesOfBank(
  lines: readonly StatementLine[],
  { bank, month }: StatementInput,
): readonly StatementTie[] {
  if (bank === null) return []
  const theirs = bank.reduce((sum, { day, amount }) => (day.startsWith(`${month}-`) ? sum + amount : sum), 0n)
  const own = lines.find(({ account, asset }) => account === 'bank' && asset === 'NTZS')
  return [tie('bank', 'movements of the month', 'NTZS', (own?.came ?? 0n) - (own?.left ?? 0n), theirs)]
}

function untiedOf({ read, chain, bank, month }: StatementInput): readonly string[] {
  const unread =
    read === null
      ? []
      : Object.entries(read.holdings).flatMap(([place, held]) => (held === null ? [place] : []))
  return [
    ...(read === null ? [`The venue's balances at the end of ${month} were not recorded.`] : []),
    ...unread.map((place) => `The venue did not report the balance of ${place}.`),
    ...(chain === null ? ['The chain was not read.'] : []),
    ...(bank === null ? ['No file of the bank was imported.'] : []),
  ]
}

function closingOf(lines: readonly StatementLine[], account: string, asset: TreasuryAsset): bigint {
  return lines.find((line) => line.account === account && line.asset === asset)?.closing ?? 0n
}

function tie(
  whom: StatementTie['with'],
  what: string,
  asset: TreasuryAsset,
  ours: bigint,
  theirs: bigint,
): StatementTie {
  return { with: whom, what, asset, ours, theirs, residual: theirs - ours }
}
