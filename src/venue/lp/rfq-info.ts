import { z } from 'zod'
import type { RfqInfoAnswer } from '../../core/engine/model/venue-answer.ts'
import { withDocumentedNames } from '../../base/http/documented-names.ts'
import { read } from '../../base/http/reply.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { whole } from '../fields.ts'
import { LP_ALIASES } from '../wire/aliases.ts'
import { endpoint } from './endpoint.ts'

/** GET /rfq/info: the addresses that orders must name. */
export const rfqInfo = endpoint('GET /rfq/info', () => () => ({ translate }))

/** Checksums are not checked: the venue may write addresses in any case. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The answer is not in the contract: reads every name that was seen. Names that disagree are an error. */
const translate = read(z.looseObject({}), (body): Result<RfqInfoAnswer, string> => {
  const named = withDocumentedNames(body, LP_ALIASES.rfqInfo)
  if (!named.ok) return named
  const solverWallet = addressOf(named.value, 'solverWallet')
  if (!solverWallet.ok) return solverWallet
  const exchange = addressOf(named.value, 'exchange')
  if (!exchange.ok) return exchange
  const chainId = whole(1, Number.MAX_SAFE_INTEGER).nullish().safeParse(named.value['chainId'])
  if (!chainId.success) return err('chainId: not a chain number')
  return ok({
    type: 'solver',
    solverWallet: solverWallet.value,
    chainId: chainId.data ?? null,
    exchange: exchange.value,
  })
})

function addressOf(body: Readonly<Record<string, unknown>>, name: string): Result<string | null, string> {
  const value = body[name] ?? null
  if (value === null || (typeof value === 'string' && ADDRESS.test(value))) return ok(value)
  return err(`${name}: not an EVM address`)
}
