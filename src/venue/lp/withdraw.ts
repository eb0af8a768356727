import { z } from 'zod'
import { formatAmount } from '../../money/amount.ts'
import type { Asset } from '../../money/asset.ts'
import type { VenueSettings } from '../settings.ts'
import type { VenueRequest } from '../call.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { WithdrawnAnswer } from '../answer.ts'
import { problemOf, unknownFields } from './body.ts'

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

const withdrawBody = z.looseObject({ status: z.string(), txHash: z.string().max(200).nullish() })

/** POST /withdraw. Only `confirmed` is in the contract: any other status leaves open whether money moved. */
export function translateWithdrawal(body: unknown, params: WithdrawParams): Result<WithdrawnAnswer, string> {
  const parsed = withdrawBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { status, txHash } = parsed.data
  if (status !== 'confirmed') return err(`status: ${JSON.stringify(status.slice(0, 60))} is not confirmed`)
  return ok({
    type: 'withdrawn',
    asset: params.asset,
    amount: params.amount,
    txHash: txHash ?? null,
    ...unknownFields(parsed.data, withdrawBody),
  })
}
