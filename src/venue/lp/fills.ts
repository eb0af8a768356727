import { z } from 'zod'
import { momentOf, problemOf } from '../../base/http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { FillsAnswer, TokenForm, TranslatedRow } from '../../core/engine/model/venue-answer.ts'
import type { Fill } from '../../core/ledger/fills/fill.ts'
import { type BookAmount, isStable, parseAmount } from '../../base/money/asset.ts'
import { hashText, notNegative } from '../fields.ts'
import { FILL_INFORMATION } from '../wire/aliases.ts'
import { endpoint } from './endpoint.ts'
import type { TokenRegistry } from './token-registry.ts'

/** The maximum of GET /fills; beyond it older rows are hidden. Source: contract, limits. */
const FILLS_WINDOW_ROWS = 100

/** GET /fills: the most recent 100, newest first. */
export const fills = endpoint('GET /fills', ({ assetOf }) => {
  const { translate, recall } = createTranslator(assetOf)
  return () => ({ numbers: 'double', translate: (body, { text }) => translate(body, text), recall })
})

/** Each row is checked alone, so that a bad row does not hide the good ones. */
const fillsBody = z.looseObject({ fills: z.array(z.unknown()) })

/** The fields that a row needs; amounts are exact decimal text. */
const fillRowBody = z.looseObject({
  id: z.union([z.string(), z.int()]),
  amountIn: z.string(),
  amountOut: z.string(),
  protocolFeeEarned: z.string().nullish(),
  fromToken: z.string(),
  toToken: z.string(),
  fromChain: z.string().nullish(),
  toChain: z.string().nullish(),
  chain: z.string().nullish(),
  createdAt: z.unknown().optional(),
})

type FillsTranslator = {
  /** `text` is the received body, if it came as text, so that numbers keep their digits. */
  readonly translate: (body: unknown, text: string | null) => Result<FillsAnswer, string>
  /** Returns the previous answer if the body is the same; else null. */
  readonly recall: (body: unknown) => FillsAnswer | null
}

/**
 * Most polls repeat the previous answer, so an equal body costs one comparison and an equal row one look-up. Rows that
 * came as objects are known by identity, rows of a text by their text.
 */
function createTranslator(assetOf: TokenRegistry): FillsTranslator {
  let lastBody: unknown = null
  let lastAnswer: FillsAnswer | null = null
  let byText = new Map<string, TranslatedRow>()
  const byObject = new WeakMap<object, TranslatedRow>()

  function translateRow(row: unknown, exactRow: unknown): TranslatedRow {
    const isObject = typeof row === 'object' && row !== null
    const known = isObject ? byObject.get(row) : undefined
    if (known !== undefined) return known
    const raw = JSON.stringify(exactRow) ?? 'null'
    const translated = byText.get(raw) ?? translateFillRow(row, raw, exactRow, assetOf)
    if (isObject) byObject.set(row, translated)
    return translated
  }

  return {
    recall: (body) => (lastAnswer !== null && body === lastBody ? lastAnswer : null),
    translate(body, text) {
      const parsed = fillsBody.safeParse(body)
      if (!parsed.success) return err(problemOf(parsed.error))
      const count = parsed.data.fills.length
      if (count > FILLS_WINDOW_ROWS)
        return err(`${count} fills, and the contract shows at most ${FILLS_WINDOW_ROWS}`)
      const exact = text !== null && parsed.data.fills.some(mayHoldNumbers) ? exactRows(text) : null
      const rows = parsed.data.fills.map((row, index) =>
        translateRow(row, exact === null ? row : exact[index]),
      )
      byText = new Map(rows.map((row) => [row.raw, row]))
      lastBody = text ?? body
      lastAnswer = { type: 'fills', rows, windowFull: count >= FILLS_WINDOW_ROWS }
      return ok(lastAnswer)
    },
  }
}

/** All fields of the contract's rows are text; only others are parsed a second time, which costs a millisecond. */
function mayHoldNumbers(row: unknown): boolean {
  if (typeof row !== 'object' || row === null) return true
  return Object.values(row).some(
    (value) => typeof value === 'number' || (typeof value === 'object' && value !== null),
  )
}

type JsonWithSource = {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** Returns the rows with each number as a raw value, which `JSON.stringify` writes with the original digits. */
function exactRows(text: string): readonly unknown[] {
  const json = JSON as unknown as JsonWithSource
  const body = json.parse(text.trimStart(), (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  )
  return (body as { readonly fills: readonly unknown[] }).fills
}

const MAX_ID_LENGTH = 200
const MAX_INFORMATION_LENGTH = 200
const MAX_REASON_LENGTH = 200
/** A row of the contract has about 500 characters; only the beginning of a longer one is kept. */
const MAX_RAW_LENGTH = 2_000

/**
 * Reads one row of GET /fills. Contract: symbols, feesEarned, txHash. Also seen: token addresses, spreadEarned,
 * protocolFeeEarned, inTxHash and outTxHash. A row that is not understood exactly is quarantined with the reason. `raw`
 * is its JSON text, complete in the answer and cut where it is kept.
 */
function translateFillRow(
  row: unknown,
  raw: string,
  exactRow: unknown,
  assetOf: TokenRegistry,
): TranslatedRow {
  const kept = keptText(raw)
  const valid = readFill(withTextAmounts(row, exactRow), kept, assetOf)
  if (valid.ok) return { raw, id: valid.value.fill.id, ...valid.value }
  const id = idOf(row)
  return { raw, id, quarantined: { id, reason: valid.error.slice(0, MAX_REASON_LENGTH), raw: kept } }
}

/** Returns the text for the journal, cut to the maximum length with the original length. */
function keptText(raw: string): string {
  if (raw.length <= MAX_RAW_LENGTH) return raw
  return `${raw.slice(0, MAX_RAW_LENGTH)}... (${raw.length} characters)`
}

const AMOUNTS = ['amountIn', 'amountOut', 'protocolFeeEarned'] as const

/** Returns the row with each amount as text, also if it was sent as a number. */
function withTextAmounts(row: unknown, exactRow: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row
  const exact = exactRow as Readonly<Record<string, unknown>>
  const numbers = AMOUNTS.filter(
    (name) => typeof (row as Readonly<Record<string, unknown>>)[name] === 'number',
  )
  if (numbers.length === 0) return row
  return { ...row, ...Object.fromEntries(numbers.map((name) => [name, JSON.stringify(exact[name])])) }
}

function readFill(
  row: unknown,
  raw: string,
  assetOf: TokenRegistry,
): Result<{ readonly fill: Fill; readonly tokenForm: TokenForm }, string> {
  const parsed = fillRowBody.safeParse(row)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { fromToken, toToken, fromChain, toChain, chain, protocolFeeEarned, createdAt } = parsed.data
  const id = idOf(row)
  if (id === null) return err('id: empty or too long')
  const [inChain, outChain] = [fromChain ?? chain, toChain ?? chain]
  const chainNamed = !isBare(fromToken, inChain) && !isBare(toToken, outChain)
  // Before the tokens: an unknown address is taken for the shilling only from a row that is right otherwise.
  const amountIn = readPositive(parsed.data.amountIn)
  if (!amountIn.ok) return err(`amountIn: ${amountIn.error}`)
  const amountOut = readPositive(parsed.data.amountOut)
  if (!amountOut.ok) return err(`amountOut: ${amountOut.error}`)
  const fee = readFee(protocolFeeEarned)
  if (!fee.ok) return err(`protocolFeeEarned: ${fee.error}`)
  const inAsset = assetOf(fromToken, inChain, assetOf(toToken, outChain))
  if (inAsset === null) return err(`fromToken: ${shown(fromToken)} is no token of ours${onChain(inChain)}`)
  const outAsset = assetOf(toToken, outChain, inAsset)
  if (outAsset === null) return err(`toToken: ${shown(toToken)} is no token of ours${onChain(outChain)}`)
  if (isStable(inAsset) === isStable(outAsset)) {
    return err(`fromToken, toToken: ${inAsset} for ${outAsset} is no trade of shillings against dollars`)
  }
  const tokenForm = [fromToken, toToken].some((token) => token.startsWith('0x')) ? 'address' : 'symbol'
  const fill: Fill = {
    id,
    side: isStable(inAsset) ? 'ask' : 'bid',
    inAsset,
    amountIn: amountIn.value,
    outAsset,
    amountOut: amountOut.value,
    fee: fee.value,
    earnedText: informationOf(parsed.data, FILL_INFORMATION.earned),
    txHash: hashOf(parsed.data),
    createdAt: momentOf(createdAt),
    ...(chainNamed ? {} : { chainNamed }),
    ...takerOf(parsed.data),
    raw,
  }
  return ok({ fill, tokenForm })
}

/** Returns whether the token exists on two chains and the row names no chain, so that only the balances show which one it is. */
function isBare(token: string, chain: string | null | undefined): boolean {
  return token.toUpperCase() === 'USDT' && (chain === undefined || chain === null)
}

function readPositive(text: string): Result<BookAmount, string> {
  const amount = parseAmount(text)
  if (!amount.ok) return err(amount.error.message)
  return amount.value > 0n ? amount : err(`${text} is not above zero`)
}

function readFee(text: string | null | undefined): Result<BookAmount | null, string> {
  if (text === undefined || text === null) return ok(null)
  const fee = notNegative(text, parseAmount(text))
  return fee.ok ? fee : err(fee.error.message)
}

function idOf(row: unknown): string | null {
  if (typeof row !== 'object' || row === null || !('id' in row)) return null
  const { id } = row
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : null
  return typeof id === 'string' && id.trim() !== '' && id.length <= MAX_ID_LENGTH ? id : null
}

/** Returns the first of these fields that is text or a number, as text for people. */
function informationOf(row: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = row[name]
    if (typeof value === 'string' && value !== '') return value.slice(0, MAX_INFORMATION_LENGTH)
    if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  }
  return null
}

/** A number names no taker. */
function takerOf(row: Readonly<Record<string, unknown>>): Pick<Fill, 'taker'> {
  const textOf = (names: readonly string[]) =>
    names.some((name) => typeof row[name] === 'string') ? informationOf(row, names) : null
  const wallet = textOf(FILL_INFORMATION.wallet)?.toLowerCase() ?? null
  const source = textOf(FILL_INFORMATION.source)
  const partner = textOf(FILL_INFORMATION.partner)
  return (wallet ?? source ?? partner) === null ? {} : { taker: { wallet, source, partner } }
}

function hashOf(row: Readonly<Record<string, unknown>>): string | null {
  return FILL_INFORMATION.txHash.map((name) => hashText(row[name])).find((hash) => hash !== null) ?? null
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}

function onChain(chain: string | null | undefined): string {
  return chain === undefined || chain === null ? '' : ` on ${shown(chain)}`
}
