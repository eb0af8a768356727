import { err, ok, type Result } from '../../base/result.ts'
import type { WithdrawnAnswer } from '../answer.ts'
import { withdrawBody, type WithdrawParams } from '../route/withdraw.ts'
import { problemOf } from './problem.ts'
import { unknownFields } from './unknown-fields.ts'

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
