import { z } from 'zod'
import { problemOf } from '../../http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { type Endpoint, READ } from './endpoint.ts'

/** Null = the venue does not state it; then the configuration must. */
export type RfqInfoAnswer = {
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
const SOLVER_NAMES = ['solverWallet', 'solver', 'solverAddress', 'taker'] as const
const EXCHANGE_NAMES = ['exchange', 'exchangeProxy', 'verifyingContract'] as const

/** GET /rfq/info under any of the names seen. Two names that contradict each other are an error, not a choice. */
function translate(body: unknown): Result<RfqInfoAnswer, string> {
  const parsed = rfqInfoBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const solverWallet = addressUnder(parsed.data, SOLVER_NAMES)
  if (!solverWallet.ok) return solverWallet
  const exchange = addressUnder(parsed.data, EXCHANGE_NAMES)
  if (!exchange.ok) return exchange
  const chainId = parsed.data['chainId'] ?? null
  if (chainId !== null && !(typeof chainId === 'number' && Number.isSafeInteger(chainId) && chainId > 0)) {
    return err('chainId: not a chain number')
  }
  return ok({ type: 'solver', solverWallet: solverWallet.value, chainId, exchange: exchange.value })
}

function addressUnder(
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Result<string | null, string> {
  let found: string | null = null
  for (const name of names) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || !ADDRESS.test(value)) return err(`${name}: not an EVM address`)
    if (found !== null && found.toLowerCase() !== value.toLowerCase())
      return err(`${name}: contradicts another name of it`)
    found = value
  }
  return ok(found)
}
