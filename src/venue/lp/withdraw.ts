import { z } from 'zod'
import { read } from '../../base/http/reply.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { WithdrawnEvent } from '../../core/engine/model/event.ts'
import type { AnswerOf } from '../../core/engine/model/venue-answer.ts'
import { type Asset, formatTokens, type TokenAmount } from '../../base/money/asset.ts'
import { hashText } from '../fields.ts'
import { endpoint, unknownFields } from './endpoint.ts'

type WithdrawParams = {
  readonly asset: Asset
  readonly amount: TokenAmount
  readonly toAddress: string
}

const TOKEN: Readonly<Record<Asset, { readonly token: string; readonly chain: string }>> = {
  NTZS: { token: 'ntzs', chain: 'base' },
  USDC: { token: 'usdc', chain: 'base' },
  USDT: { token: 'usdt', chain: 'base' },
  'USDT.bnb': { token: 'usdt', chain: 'bnb' },
}

type WithdrawnAnswer = AnswerOf<WithdrawnEvent>

/** POST /withdraw. Money leaves: never sent twice. */
export const withdrawEndpoint = endpoint('POST /withdraw', () => (params: WithdrawParams) => ({
  paysOut: true,
  isSlow: true,
  body: {
    ...TOKEN[params.asset],
    toAddress: params.toAddress,
    amount: formatTokens(params.amount, params.asset),
  },
  translate: read(withdrawBody, (body) => translate(body, params)),
}))

/** The hash is for people: a withdrawal without a readable hash is confirmed too. */
const withdrawBody = z.looseObject({ status: z.string(), txHash: z.unknown().optional() })

/** Only `confirmed` is in the contract: with any other status the outcome is unknown. */
function translate(
  body: z.output<typeof withdrawBody>,
  params: WithdrawParams,
): Result<WithdrawnAnswer, string> {
  const { status, txHash } = body
  if (status !== 'confirmed') return err(`status: ${JSON.stringify(status.slice(0, 60))} is not confirmed`)
  return ok({
    type: 'withdrawn',
    asset: params.asset,
    amount: params.amount,
    txHash: hashText(txHash),
    ...unknownFields(body, withdrawBody),
  })
}
