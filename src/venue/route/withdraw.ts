import { z } from 'zod'
import { formatAmount } from '../../money/amount.ts'
import type { Asset } from '../../money/asset.ts'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../venue-call.ts'

export type WithdrawParams = {
  readonly asset: Asset
  /** Base units. */
  readonly amount: bigint
  readonly toAddress: string
}

const TOKEN: Readonly<Record<Asset, { readonly token: string; readonly chain: string }>> = {
  NTZS: { token: 'ntzs', chain: 'base' },
  USDC: { token: 'usdc', chain: 'base' },
  USDT: { token: 'usdt', chain: 'base' },
  'USDT.bnb': { token: 'usdt', chain: 'bnb' },
}

/** POST /withdraw. Money leaves: never sent twice. */
export function withdrawRequest({ prefix }: VenueSettings, params: WithdrawParams): VenueRequest {
  const { asset, amount, toAddress } = params
  return {
    route: 'POST /withdraw',
    method: 'POST',
    path: `${prefix}/withdraw`,
    query: {},
    body: { ...TOKEN[asset], toAddress, amount: formatAmount(amount, asset) },
  }
}

export const withdrawBody = z.looseObject({ status: z.string(), txHash: z.string().max(200).nullish() })
