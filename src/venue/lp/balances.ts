import { z } from 'zod'
import { problemOf } from '../../http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { BalancesEvent } from '../../engine/model/event.ts'
import { type Amounts, type Asset, parseAmount } from '../../money/asset.ts'
import { type AnswerOf, type Endpoint, READ, unknownFields } from './endpoint.ts'
import type { TokenRegistry } from './token-registry.ts'

export type BalancesAnswer = AnswerOf<BalancesEvent, 'sentAt'>

/** GET /balances. */
export const balances: Endpoint<[], BalancesAnswer> =
  ({ settings, assetOf }) =>
  () => ({
    ...READ,
    route: 'GET /balances',
    path: `${settings.prefix}/balances`,
    translate: (body) => translate(body, assetOf, settings.primaryChain),
  })

/** Amounts are decimal text: a JSON number could not carry 18 decimals, so it is refused. */
const balancesBody = z.looseObject({
  ntzs: z.string().nullish(),
  usdc: z.string().nullish(),
  usdt: z.string().nullish(),
  source: z.unknown().optional(),
  positions: z.unknown().optional(),
  wallet: z.unknown().optional(),
})

const ALSO_SEEN = ['source', 'positions']

/**
 * Contract: ntzs, usdc, usdt. Also seen: `source`, `positions`, and no usdt. A figure that is no exact
 * amount spoils the whole answer, since a balance that is half understood proves nothing. `positions` only
 * adds assets the contract's own fields do not name, and only where exactly one entry means that asset.
 */
function translate(
  body: unknown,
  assetOf: TokenRegistry,
  primaryChain: 'base' | 'bnb',
): Result<BalancesAnswer, string> {
  const parsed = balancesBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { ntzs, usdc, usdt, source, positions } = parsed.data
  const amounts: Partial<Amounts> = {}
  const dollar: Asset = primaryChain === 'bnb' ? 'USDT.bnb' : 'USDT'
  for (const [asset, text, field] of [
    ['NTZS', ntzs, 'ntzs'],
    ['USDC', usdc, 'usdc'],
    [dollar, usdt, 'usdt'],
  ] as const) {
    if (text === undefined || text === null) continue
    const amount = parseAmount(text, asset)
    if (!amount.ok) return err(`${field}: ${amount.error.message}`)
    amounts[asset] = amount.value
  }
  const problem = addPositions(amounts, positions, assetOf)
  if (problem !== null) return err(problem)
  if (Object.keys(amounts).length === 0) return err('the body: no balance of any token of ours')
  return ok({
    type: 'balances',
    amounts,
    source: source === 'pool' || source === 'wallet' ? source : null,
    ...unknownFields(parsed.data, balancesBody, ALSO_SEEN),
  })
}

function addPositions(amounts: Partial<Amounts>, positions: unknown, assetOf: TokenRegistry): string | null {
  if (!Array.isArray(positions)) return null
  const named = new Map<Asset, unknown[]>()
  for (const position of positions as unknown[]) {
    if (typeof position !== 'object' || position === null) continue
    const { token, symbol, chain, amount, balance } = position as Readonly<Record<string, unknown>>
    const asset = assetOf(token, chain) ?? assetOf(symbol, chain)
    if (asset === null || amounts[asset] !== undefined) continue
    named.set(asset, [...(named.get(asset) ?? []), amount ?? balance])
  }
  for (const [asset, [figure, ...others]] of named) {
    if (others.length > 0 || typeof figure !== 'string') continue
    const amount = parseAmount(figure, asset)
    if (!amount.ok) return `positions ${asset}: ${amount.error.message}`
    amounts[asset] = amount.value
  }
  return null
}
