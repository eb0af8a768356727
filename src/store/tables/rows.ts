import type { Observation } from '../../core/engine/model/observation.ts'
import { writeObservation } from '../../core/engine/upcast/written.ts'
import { sampleCells } from './samples.ts'

/** Tables whose rows are keyed by event and index, with their number of columns. */
export const COLUMNS = {
  fills: 18,
  quarantine: 6,
  ledger_entries: 7,
  postings: 6,
  quotes: 9,
  rates: 6,
  notices: 5,
  samples: 18,
} as const

export type Table = keyof typeof COLUMNS
export type Cell = string | number | null
/** A row with a cell for each column of its table, in the order of the migrations. */
type TableRow = readonly [table: Table, cells: readonly Cell[]]

/** The place of an observation: its event, and its index within it. */
export type RowPlace = readonly [seq: number, n: number]

type FillPosted = Extract<Observation, { type: 'fillPosted' }>
type EntryPosted = Extract<Observation, { type: 'entryPosted' }>
type QuoteConfirmed = Extract<Observation, { type: 'quoteConfirmed' }>

/** Returns the rows of one observation for either database. */
export function rowsOf(place: RowPlace, observation: Observation): readonly TableRow[] {
  if (observation.type === 'fillPosted') return [['fills', [...place, ...fillCells(observation)]]]
  if (observation.type === 'entryPosted') return entryRows(place, observation)
  if (observation.type === 'quoteConfirmed') return [['quotes', [...place, ...quoteCells(observation)]]]
  if (observation.type === 'sample') return [['samples', sampleCells(place[0], observation)]]
  if (observation.type === 'rowQuarantined') {
    const { id, reason, raw } = observation.row
    return [['quarantine', [...place, observation.t, id, reason, raw]]]
  }
  if (observation.type === 'midChanged') {
    const { t, mid, rateUpdatedAt, source } = observation
    return [['rates', [...place, t, mid.toString(), rateUpdatedAt, source]]]
  }
  return [noticeRow(place, observation)]
}

/** Returns an observation's row in the event log, under its own type or another. */
export function noticeRow(
  place: RowPlace,
  observation: Exclude<Observation, EntryPosted>,
  type: string = observation.type,
): TableRow {
  return ['notices', [...place, observation.t, type, writeObservation(observation)]]
}

function fillCells(posted: FillPosted): readonly Cell[] {
  const { fill, fee, feeSource, midAtFill, formula, volumeUsd, t } = posted
  return [
    fill.id,
    fill.side,
    fill.inAsset,
    fill.amountIn.toString(),
    fill.outAsset,
    fill.amountOut.toString(),
    fee.toString(),
    feeSource,
    fill.earnedText,
    midAtFill?.toString() ?? null,
    formula,
    volumeUsd.toString(),
    fill.txHash,
    fill.createdAt,
    t,
    fill.raw,
  ]
}

function entryRows(place: RowPlace, { entry }: EntryPosted): readonly TableRow[] {
  const { number, t, kind, reason, fillId, postings } = entry
  return [
    ['ledger_entries', [...place, number, t, kind, reason, fillId]],
    ...postings.map(({ account, asset, amount }, p): TableRow => {
      return ['postings', [...place, p, account, asset, amount.toString()]]
    }),
  ]
}

function quoteCells({ t, spread, by }: QuoteConfirmed): readonly Cell[] {
  const { bidBps, askBps, quoteBid, quoteAsk, quotePairs } = spread
  const pairs = quotePairs === null ? null : JSON.stringify(quotePairs)
  return [t, bidBps, askBps, Number(quoteBid), Number(quoteAsk), pairs, by]
}
