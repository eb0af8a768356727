import { z } from 'zod'
import { problemOf } from '../../base/http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { whole } from '../fields.ts'
import { LP_ALIASES, withDocumentedNames } from '../wire/aliases.ts'
import { type Endpoint, READ } from './endpoint.ts'

/** Null = the venue does not state it; then the configuration must. */
type RfqInfoAnswer = {
  readonly type: 'solver'
  readonly solverWallet: string | null
  readonly chainId: number | null
  readonly exchange: string | null
}

/** GET /rfq/info: whom orders must name. */
export const rfqInfo: Endpoint<[], RfqInfoAnswer> =
  ({ settings }) =>
  () => ({ ...READ, route: 'GET /rfq/info', path: `${settings.prefix}/rfq/info`, translate })

/** The answer is not in the contract: every name it may have is looked at by the translation. */
const rfqInfoBody = z.looseObject({})

/** Checksums are not looked at: the venue may write addresses in any case. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** GET /rfq/info under any of the names seen. Two names that contradict each other are an error, not a choice. */
function translate(body: unknown): Result<RfqInfoAnswer, string> {
  const parsed = rfqInfoBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const named = withDocumentedNames(parsed.data, LP_ALIASES.rfqInfo)
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
}

function addressOf(body: Readonly<Record<string, unknown>>, name: string): Result<string | null, string> {
  const value = body[name] ?? null
  if (value === null || (typeof value === 'string' && ADDRESS.test(value))) return ok(value)
  return err(`${name}: not an EVM address`)
}
