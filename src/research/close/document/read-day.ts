import { createHash } from 'node:crypto'
import type { Ms } from '../../../base/time.ts'
import { formatAmount } from '../../../base/money/asset.ts'
import type { ExportRow } from '../../../store/export/kinds.ts'
import type { StoreReader } from '../../../store/open-reader.ts'
import type { ActionChain } from '../../../store/tables/operator-actions.ts'
import { isoText } from '../../../base/text/times.ts'
import { createAccounts, type AccountUnits, postTo, textsOf } from './accounts.ts'
import type { DaySpan } from './day-span.ts'
import { dayPnl } from './day-pnl.ts'
import {
  type CloseBody,
  type CloseDocument,
  type CloseEntry,
  type CloseEvidence,
  type CloseTreasury,
  FORMAT,
} from './document.ts'
import { openOrdersAfter } from './open-orders.ts'
import { withdrawalsAfter } from './withdrawals.ts'

export type DayRequest = {
  readonly position: string
  readonly day: string
  readonly timezone: string
  readonly span: DaySpan
  /** No further event of the day can be journalled. */
  readonly isOver: boolean
  /** The previous close with the digest of its bytes; null = this is the first one. */
  readonly previous: { readonly document: CloseDocument; readonly sha256: string } | null
  readonly closedAt: Ms
  readonly software: string
  readonly evidence: CloseEvidence
  /** All positions that are closed together; null = only this one. */
  readonly fleet: readonly string[] | null
  readonly actions: ActionChain
  readonly treasury: CloseTreasury | null
}

/** Reads the close of a day from the store. Throws StoreReadError. */
export function readDay(reader: StoreReader, request: DayRequest): CloseBody {
  const { position, day, timezone, span, previous } = request
  const before = previous?.document.journal.last ?? reader.lastSeqBefore(span.from)
  const last = Math.max(before, reader.lastSeqBefore(span.to))
  const range = { first: before + 1, last }
  const { opening, closing, entries } = readLedger(reader, range)
  const mids = readMids(reader, range, entries)
  const undoneLater = readUndone(reader, last, entries)
  const figures = { accounts: textsOf(opening), entries, mids }
  return {
    format: FORMAT,
    position,
    day,
    timezone,
    from: isoText(span.from),
    to: isoText(span.to),
    status: request.isOver ? 'final' : 'provisional',
    closedAt: isoText(request.closedAt),
    software: request.software,
    evidence: request.evidence,
    previous: previous === null ? null : { day: previous.document.day, sha256: previous.sha256 },
    ...(request.fleet === null ? {} : { fleet: [...request.fleet] }),
    journal: { ...range, sha256: digestOf(reader, range) },
    mids,
    accounts: { opening: figures.accounts, closing: textsOf(closing) },
    entries,
    fills: [...within(reader.rows('fills', range.first), range)].map((row) => ({ ...row })),
    ...(undoneLater.length === 0 ? {} : { undoneLater }),
    pnl: dayPnl(figures),
    openOrders: [...openOrdersAfter(reader, previous?.document.openOrders ?? null, range)],
    withdrawals: [...withdrawalsAfter(reader, previous?.document.withdrawals ?? null, range, span.to)],
    standing: readStanding(reader, range),
    operators: operatorsOf(request.actions, range),
    treasury: request.treasury,
  }
}

type Range = { readonly first: number; readonly last: number }

function* within(rows: Iterable<ExportRow>, { first, last }: Range): Generator<ExportRow> {
  for (const row of rows) {
    const seq = Number(row['seq'])
    if (seq > last) return
    if (seq >= first) yield row
  }
}

/** Returns the sha-256 over `seq`, a line feed, the unparsed event and a line feed, for each event of the day. */
function digestOf(reader: StoreReader, { first, last }: Range): string | null {
  const hash = createHash('sha256')
  let next = first
  for (const { seq, body } of reader.journalRows(first, last)) {
    if (seq !== next) return null
    hash.update(`${seq}\n${body}\n`)
    next = seq + 1
  }
  return next === last + 1 ? hash.digest('hex') : null
}

/** Sums all postings before the day, so that a ledger changed since the previous close does not match it. */
function readLedger(
  reader: StoreReader,
  { first, last }: Range,
): { readonly opening: AccountUnits; readonly closing: AccountUnits; readonly entries: CloseEntry[] } {
  const [opening, closing] = [createAccounts(), createAccounts()]
  const entries: CloseEntry[] = []
  for (const row of reader.rows('ledger')) {
    if (Number(row['seq']) > last) break
    const posting = postingOf(row)
    postTo(closing, posting)
    if (Number(row['seq']) < first) {
      postTo(opening, posting)
      continue
    }
    const known = entries.at(-1)
    if (known !== undefined && known.number === row['entry']) known.postings.push(posting)
    else entries.push(entryOf(reader, row, posting))
  }
  return { opening, closing, entries }
}

type Posting = CloseEntry['postings'][number]

function postingOf({ account, asset, amount }: ExportRow): Posting {
  return { account, asset, amount } as Posting
}

function entryOf(reader: StoreReader, row: ExportRow, posting: Posting): CloseEntry {
  const fillId = row['fillId'] === null ? null : String(row['fillId'])
  return {
    number: Number(row['entry']),
    seq: Number(row['seq']),
    at: String(row['at']),
    kind: row['kind'] as CloseEntry['kind'],
    reason: String(row['reason']),
    fillId,
    mid: null,
    fillMid: fillId === null ? null : reader.midOfFill(fillId),
    postings: [posting],
  }
}

/** Reads the later entries that took back fills of the day. */
function readUndone(
  reader: StoreReader,
  last: number,
  entries: readonly CloseEntry[],
): NonNullable<CloseBody['undoneLater']> {
  const own = new Set(entries.flatMap(({ kind, fillId }) => (kind === 'fill' ? [fillId] : [])))
  const undone = new Map<string, { readonly number: number; readonly seq: number }>()
  for (const { kind, fillId, entry, seq } of reader.rows('ledger', last + 1)) {
    if (kind !== 'fill-undone' || typeof fillId !== 'string' || !own.has(fillId)) continue
    if (!undone.has(fillId)) undone.set(fillId, { number: Number(entry), seq: Number(seq) })
  }
  return [...undone].map(([fillId, by]) => ({ fillId, ...by }))
}

/** Reads the mids at both ends of the day and assigns to each entry the mid at its booking. */
function readMids(
  reader: StoreReader,
  { first, last }: Range,
  entries: readonly CloseEntry[],
): CloseBody['mids'] {
  let [opening, mid]: (string | null)[] = [null, null]
  const waiting = entries.values()
  let entry = waiting.next()
  for (const row of reader.rows('rates')) {
    const seq = Number(row['seq'])
    if (seq > last) break
    for (; entry.done !== true && entry.value.seq < seq; entry = waiting.next()) entry.value.mid = mid ?? null
    mid = row['mid'] === null ? null : String(row['mid'])
    if (seq < first) opening = mid
  }
  for (; entry.done !== true; entry = waiting.next()) entry.value.mid = mid ?? null
  return { opening: opening ?? null, closing: mid ?? null }
}

function readStanding(reader: StoreReader, { first, last }: Range): CloseBody['standing'] {
  const reconciliation = reader.latestNotice('reconciliationChanged', last)
  const strategy = reader.latestNotice('strategyLoaded', last)
  return {
    tradingState: reader.latestNotice('tradingStateChanged', last)?.to ?? null,
    isActive: reader.latestNotice('activationChanged', last)?.isActive ?? null,
    reconciliation:
      reconciliation === null
        ? null
        : {
            state: reconciliation.state,
            why: reconciliation.why,
            unreconciled: unitsOf(reconciliation.unreconciled),
          },
    quote: lastQuote(reader, { first, last }),
    strategy: strategy === null ? null : { use: strategy.use, sourceHash: strategy.sourceHash },
  }
}

function unitsOf(amounts: Readonly<Partial<Record<Posting['asset'], bigint>>>): Record<string, string> {
  const all = Object.entries(amounts) as [Posting['asset'], bigint][]
  return Object.fromEntries(all.map(([asset, amount]) => [asset, formatAmount(amount)]))
}

function lastQuote(reader: StoreReader, { last }: Range): ExportRow | null {
  let quote: ExportRow | null = null
  for (const row of reader.rows('quotes')) {
    if (Number(row['seq']) > last) break
    quote = row
  }
  return quote
}

function operatorsOf({ actions, head }: ActionChain, { first, last }: Range): CloseBody['operators'] {
  const until = actions.filter(({ seq }) => seq <= last)
  return {
    head: until.at(-1)?.hash ?? (actions.length === 0 ? head : '0'.repeat(64)),
    actions: until
      .filter(({ seq }) => seq >= first)
      .map(({ seq, t, who, command, accepted, answer, why, hash }) => ({
        seq,
        at: isoText(t),
        who,
        command,
        accepted,
        answer,
        why,
        sha256: hash,
      })),
  }
}
