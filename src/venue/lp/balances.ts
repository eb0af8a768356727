import { err, ok, type Result } from '../../base/result.ts'
import type { BalancesEvent } from '../../engine/model/event.ts'
import { type Amounts, type Asset, parseAmount } from '../../money/asset.ts'
import { numbersAsText } from '../exact-json.ts'
import { type AnswerOf, type Endpoint, READ, unknownFields } from './endpoint.ts'
import { z } from 'zod'
import type { TokenRegistry } from './token-registry.ts'

export type BalancesAnswer = AnswerOf<BalancesEvent, 'sentAt'>

/** GET /balances. */
export const balances: Endpoint<[], BalancesAnswer> =
  ({ settings, assetOf }) =>
  () => ({
    ...READ,
    route: 'GET /balances',
    path: `${settings.prefix}/balances`,
    translate: (body, { text }) => {
      const figures = text === null ? body : numbersAsText(text)
      return isRecord(body) && isRecord(figures)
        ? translate(body, figures, assetOf, settings.primaryChain)
        : err('the body: not an object')
    },
  })

/** The fields of the contract. Also seen: `source` and `positions`, and no usdt at the top. */
const balancesBody = z.looseObject({
  ntzs: z.unknown().optional(),
  usdc: z.unknown().optional(),
  usdt: z.unknown().optional(),
  wallet: z.unknown().optional(),
})

/** The field of a position that is what we own of it; the first that is there. */
const POSITION_FIELDS = ['amount', 'balance', 'contributed', 'total'] as const

type Fields = Readonly<Record<string, unknown>>
type Figure = { readonly field: string; readonly value: unknown }

/**
 * Each token's figure, from the top of the body and from `positions`, which is a list or a record by token. A token
 * without a figure is not stated. A figure that is not an exact amount, and two figures of one token that differ, make the
 * whole answer unreadable, since half of it would prove nothing.
 */
function translate(
  body: Fields,
  figures: Fields,
  assetOf: TokenRegistry,
  primaryChain: 'base' | 'bnb',
): Result<BalancesAnswer, string> {
  const named = new Map<Asset, Figure[]>()
  const note = (asset: Asset | null, field: string, value: unknown) => {
    if (asset === null || value === undefined || value === null) return
    named.set(asset, [...(named.get(asset) ?? []), { field, value }])
  }
  const dollar: Asset = primaryChain === 'bnb' ? 'USDT.bnb' : 'USDT'
  note('NTZS', 'ntzs', figures['ntzs'])
  note('USDC', 'usdc', figures['usdc'])
  note(dollar, 'usdt', figures['usdt'])
  for (const { asset, field, value } of positionsOf(figures['positions'], assetOf)) note(asset, field, value)
  const amounts: Partial<Amounts> = {}
  for (const [asset, [first, ...others]] of named) {
    if (first === undefined) continue
    for (const figure of [first, ...others]) {
      const amount = amountOf(figure)
      if (!amount.ok) return amount
      if (amounts[asset] !== undefined && amounts[asset] !== amount.value)
        return err(
          `${figure.field}: ${shown(figure.value)}, and ${first.field} is ${shown(first.value)}: two figures for one token`,
        )
      amounts[asset] = amount.value
    }
  }
  if (Object.keys(amounts).length === 0) return err('the body: no balance of NTZS, USDC or USDT')
  const { source } = body
  return ok({
    type: 'balances',
    amounts,
    source: source === 'pool' || source === 'wallet' ? source : null,
    ...unknownFields(body, balancesBody),
  })
}

type PositionFigure = Figure & { readonly asset: Asset | null }

/** The figures of `positions`. Two entries of a list for one token are two positions, whose sum is not stated. */
function positionsOf(positions: unknown, assetOf: TokenRegistry): readonly PositionFigure[] {
  if (Array.isArray(positions)) {
    const figures = positions.filter(isRecord).map((position): PositionFigure => {
      const { token, symbol, chain } = position
      const asset = assetOf(token, chain) ?? assetOf(symbol, chain)
      return { asset, field: `positions ${asset}`, value: figureOf(position) }
    })
    return figures.filter(({ asset }) => figures.filter((other) => other.asset === asset).length === 1)
  }
  if (!isRecord(positions)) return []
  return Object.entries(positions).map(([name, position]) => {
    const asset = assetOf(name, isRecord(position) ? position['chain'] : undefined)
    return { asset, field: `positions.${name}`, value: isRecord(position) ? figureOf(position) : position }
  })
}

function figureOf(position: Fields): unknown {
  const field = POSITION_FIELDS.find((name) => position[name] !== undefined && position[name] !== null)
  return field === undefined ? undefined : position[field]
}

function amountOf({ field, value }: Figure): Result<bigint, string> {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string') return err(`${field}: ${shown(value)} is not an amount`)
  const amount = parseAmount(text)
  return amount.ok ? amount : err(`${field}: ${amount.error.message}`)
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const LONGEST_SHOWN = 60

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, LONGEST_SHOWN)
}
