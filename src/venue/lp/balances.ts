import { err, ok, type Result } from '../../base/result.ts'
import { isRecord } from '../../base/record.ts'
import type { BalancesEvent } from '../../core/engine/model/event.ts'
import type { AnswerOf } from '../../core/engine/model/venue-answer.ts'
import { type Amounts, type Asset, parseAmount } from '../../base/money/asset.ts'
import { digitsOf, notNegative } from '../fields.ts'
import { quotedValue, withDocumentedNames } from '../../base/http/documented-names.ts'
import { LP_ALIASES, TOKEN_NAMES } from '../wire/aliases.ts'
import { endpoint, unknownFields } from './endpoint.ts'
import { z } from 'zod'
import type { TokenRegistry } from './token-registry.ts'

export type BalancesAnswer = AnswerOf<BalancesEvent, 'sentAt'>

/** GET /balances. */
export const balances = endpoint('GET /balances', ({ assetOf }) => () => ({
  translate: (body) => (isRecord(body) ? translate(body, assetOf) : err('the body: not an object')),
}))

/** The fields of the contract. Also seen: `source` and `positions`, and no usdt at the top. */
const balancesBody = z.looseObject({
  ntzs: z.unknown().optional(),
  usdc: z.unknown().optional(),
  usdt: z.unknown().optional(),
  wallet: z.unknown().optional(),
})

type Fields = Readonly<Record<string, unknown>>
type Figure = { readonly field: string; readonly value: unknown }

/**
 * Reads the figure of each token from the top of the body and from `positions`, a list or a record by token. A token
 * without a figure is not stated. An inexact amount, or two different figures of one token, make the whole answer
 * unreadable, because half of it proves nothing.
 */
function translate(body: Fields, assetOf: TokenRegistry): Result<BalancesAnswer, string> {
  const named = new Map<Asset, Figure[]>()
  const note = (asset: Asset | null, field: string, value: unknown) => {
    if (asset === null || value === undefined || value === null) return
    named.set(asset, [...(named.get(asset) ?? []), { field, value }])
  }
  note('NTZS', 'ntzs', body['ntzs'])
  note('USDC', 'usdc', body['usdc'])
  note('USDT', 'usdt', body['usdt'])
  const positions = positionsOf(body['positions'] ?? [], assetOf)
  if (!positions.ok) return positions
  for (const { asset, field, value } of positions.value) note(asset, field, value)
  const amounts: Partial<Amounts> = {}
  for (const [asset, [first, ...others]] of named) {
    if (first === undefined) continue
    for (const figure of [first, ...others]) {
      const amount = amountOf(figure)
      if (!amount.ok) return amount
      if (amounts[asset] !== undefined && amounts[asset] !== amount.value)
        return err(
          `${figure.field}: ${quotedValue(figure.value)}, and ${first.field} is ${quotedValue(first.value)}: two figures for one token`,
        )
      amounts[asset] = amount.value
    }
  }
  if (Object.keys(amounts).length === 0) return err('the body: no balance of NTZS, USDC or USDT')
  const source = body['source'] ?? null
  if (source !== null && source !== 'pool' && source !== 'wallet')
    return err(`source: ${quotedValue(source)} is neither pool nor wallet`)
  return ok({
    type: 'balances',
    amounts,
    source,
    ...unknownFields(body, balancesBody),
  })
}

type PositionFigure = Figure & { readonly asset: Asset | null }

/** Returns the figures of `positions`. The sum of two entries of a list for one token is not stated. */
function positionsOf(positions: unknown, assetOf: TokenRegistry): Result<readonly PositionFigure[], string> {
  const isList = Array.isArray(positions)
  if (!isList && !isRecord(positions))
    return err(`positions: ${quotedValue(positions)} is no list of positions`)
  const figures: PositionFigure[] = []
  for (const [name, position] of Object.entries(positions as Fields)) {
    const field = `positions.${name}`
    if (position === null) continue
    if (isList && !isRecord(position)) return err(`${field}: ${quotedValue(position)} is no position`)
    const fields = isRecord(position) ? position : {}
    const { chain } = fields
    const names = isList ? TOKEN_NAMES.map((one) => fields[one]) : [name]
    const asset = names.map((one) => assetOf(one, chain)).find((one) => one !== null) ?? null
    const figure: Result<unknown, string> = isRecord(position) ? figureOf(position) : ok(position)
    if (asset !== null && !figure.ok) return err(`${field}.${figure.error}`)
    figures.push({ asset, field, value: figure.ok ? figure.value : null })
  }
  const isAlone = ({ asset }: PositionFigure) => figures.filter((other) => other.asset === asset).length === 1
  return ok(isList ? figures.filter(isAlone) : figures)
}

/** Returns what we own of a position. A total next to earnings may include them, and then does not count. */
function figureOf(position: Fields): Result<unknown, string> {
  const named = withDocumentedNames(position, LP_ALIASES.position)
  if (!named.ok) return named
  const { amount = null, total = null, earned = null } = named.value
  const earnedText = digitsOf(earned) ?? '0'
  return ok(amount ?? (/^0+(\.0*)?$/.test(earnedText) ? total : null))
}

function amountOf({ field, value }: Figure): Result<bigint, string> {
  const text = digitsOf(value)
  if (text === null) return err(`${field}: ${quotedValue(value)} is not an amount`)
  const amount = notNegative(text, parseAmount(text))
  return amount.ok ? amount : err(`${field}: ${amount.error.message}`)
}
