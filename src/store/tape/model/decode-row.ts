import { err, ok, type Result } from '../../../base/result.ts'
import type { Amounts } from '../../../base/money/asset.ts'
import { FieldError, RowFields } from './row-fields.ts'
import { type BalancesRow, type TapeFill, ROW_KINDS, ROW_SHAPE, type RowKind, type TapeRow } from './row.ts'

/**
 * Parses one line of the text form; the error is a sentence. Drops fields that are not part of the row's kind and
 * passes each to `onUnknown`. Makes texts well-formed Unicode.
 */
export function decodeRow(text: string, onUnknown?: (field: string) => void): Result<TapeRow, string> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return err('not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return err('not a JSON object')
  const row = rowOfFields(parsed as Readonly<Record<string, unknown>>)
  if (row.ok && onUnknown !== undefined) tellUnknown(parsed, row.value.type, onUnknown)
  return row
}

/** Returns a row from its fields by name, including `type` and `t`. */
export function rowOfFields(object: Readonly<Record<string, unknown>>): Result<TapeRow, string> {
  try {
    return ok(rowOf(new RowFields(object)))
  } catch (error) {
    if (error instanceof FieldError) return err(error.message)
    throw error
  }
}

function tellUnknown(object: object, type: RowKind, onUnknown: (field: string) => void): void {
  const known = ROW_SHAPE[type]
  for (const name of Object.keys(object)) {
    if (name !== 't' && name !== 'type' && !known.some((field) => field.name === name)) onUnknown(name)
  }
}

function rowOf(fields: RowFields): TapeRow {
  const type = fields.choice('type', ROW_KINDS)
  const t = fields.time('t')
  switch (type) {
    case 'rate':
      return {
        type,
        t,
        mid: fields.rate('midRateTZS'),
        rateUpdatedAt: fields.optionalTime('rateUpdatedAt'),
        quotable: fields.optionalFlag('quotable'),
      }
    case 'reference':
      return { type, t, source: fields.text('source'), mid: fields.rate('midTZS') }
    case 'competition': {
      const from = fields.asset('from')
      const own = fields.optionalFlag('own')
      return {
        type,
        t,
        from,
        to: fields.asset('to'),
        amount: fields.amount('amount', from),
        bidBps: fields.optionalBps('bidBps'),
        askBps: fields.optionalBps('askBps'),
        ...(own === null ? {} : { own }),
      }
    }
    case 'balances':
      return balancesOf(fields, t)
    case 'quote':
      return {
        type,
        t,
        bidBps: fields.bps('bidBps'),
        askBps: fields.bps('askBps'),
        quoteBid: fields.flag('quoteBid'),
        quoteAsk: fields.flag('quoteAsk'),
        quotePairs: fields.optionalTexts('quotePairs'),
      }
    case 'fill':
      return fillOf(fields, t)
    case 'decision':
      return {
        type,
        t,
        state: fields.choice('state', ['ACTIVE', 'REDUCING', 'HALTED']),
        bidBps: fields.optionalBps('bidBps'),
        askBps: fields.optionalBps('askBps'),
        because: fields.texts('because'),
      }
  }
}

/** The fields of a row of balances, in the order of its amounts. */
export const BALANCE_TOKENS = [
  ['ntzs', 'NTZS'],
  ['usdc', 'USDC'],
  ['usdt', 'USDT'],
  ['usdtBnb', 'USDT.bnb'],
] as const
export const BALANCE_SOURCES = ['pool', 'wallet'] as const

function balancesOf(fields: RowFields, t: number): BalancesRow {
  const amounts: Partial<Amounts> = {}
  for (const [name, asset] of BALANCE_TOKENS) {
    const amount = fields.optionalAmount(name, asset)
    if (amount !== null) amounts[asset] = amount
  }
  return { type: 'balances', t, amounts, source: fields.optionalChoice('source', BALANCE_SOURCES) }
}

function fillOf(fields: RowFields, t: number): TapeFill {
  const from = fields.asset('fromToken')
  const to = fields.asset('toToken')
  const [wallet, source, partner] = [
    fields.optionalText('takerWallet'),
    fields.optionalText('takerSource'),
    fields.optionalText('takerPartner'),
  ]
  return {
    type: 'fill',
    t,
    id: fields.text('id'),
    from,
    to,
    amountIn: fields.amount('amountIn', from),
    amountOut: fields.amount('amountOut', to),
    protocolFee: fields.optionalAmount('protocolFee', to),
    feesEarned: fields.optionalText('feesEarned'),
    txHash: fields.optionalText('txHash'),
    seenAt: fields.optionalTime('seenAt'),
    ...((wallet ?? source ?? partner) === null ? {} : { taker: { wallet, source, partner } }),
  }
}
