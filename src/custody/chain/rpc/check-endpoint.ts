import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { err, ok, type Result } from '../../../base/result.ts'
import { TOKEN_DECIMALS } from '../../../base/money/asset.ts'
import { EXCHANGE_ABI } from '../../../core/rfq/exchange-abi.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { type ChainSettings, tokenList } from '../chain.ts'
import { decoded, describeRevert, hexOf, quantityOf, readHex, resultOf } from './decode.ts'
import { rpcFailure, type RpcFailure, type RpcReply } from './rpc-failure.ts'
import type { RpcEndpoint, RpcRequest } from './rpc-endpoint.ts'

const ABI = parseAbi(EXCHANGE_ABI)
const FILL_RFQ_ORDER = '0xaa77476c'

/** Requirements for an endpoint; `exchange` null = not used. */
type Served = Pick<ChainSettings, 'chainId' | 'tokens'> & { readonly exchange: Hex | null }

/**
 * Checks that an endpoint serves the configured chain: its id, the exchange with the function that fills RFQ orders,
 * the tokens and their decimals. Fails with CHAIN_MISMATCH.
 */
export async function checkEndpoint(
  endpoint: RpcEndpoint,
  { chainId, exchange, tokens }: Served,
): Promise<Result<void, RpcFailure>> {
  const known = tokenList(tokens)
  const implementation = encodeFunctionData({
    abi: ABI,
    functionName: 'getFunctionImplementation',
    args: [FILL_RFQ_ORDER],
  })
  const decimals = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
  const ofExchange = exchange === null ? [] : [codeAt(exchange), call(exchange, implementation)]
  const answer = await endpoint.ask([
    { method: 'eth_chainId', params: [] },
    ...ofExchange,
    ...known.flatMap(({ token }) => [codeAt(token), call(token, decimals)]),
  ])
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const [chain, ...rest] = answer.value
    const id = quantityOf(resultOf(chain), 'the chain id')
    if (id !== BigInt(chainId))
      return mismatch(endpoint, `is on chain ${id}, but the settings have ${chainId}`)
    const problem = exchange === null ? null : exchangeProblem(exchange, rest)
    if (problem !== null) return mismatch(endpoint, problem)
    const ofTokens = rest.slice(ofExchange.length)
    for (const [index, { asset, token }] of known.entries()) {
      if (hasNoCode(ofTokens[2 * index]))
        return mismatch(endpoint, `has no contract at ${asset}'s address ${token}`)
      const word = readHex(dataOf(ofTokens[2 * index + 1]), 32)
      const theirs = word === null ? null : BigInt(word)
      if (theirs === BigInt(TOKEN_DECIMALS[asset])) continue
      const said = theirs === null ? 'no decimals' : `${theirs} decimals`
      return mismatch(endpoint, `reports ${said} for ${asset} at ${token}; expected ${TOKEN_DECIMALS[asset]}`)
    }
    return ok(undefined)
  })
}

/** Returns a check, without the exchange, that runs once per endpoint before its first use. */
export function checkOnce(
  served: Pick<ChainSettings, 'chainId' | 'tokens'>,
): (endpoint: RpcEndpoint) => Promise<Result<void, RpcFailure>> {
  const checked = new Set<RpcEndpoint>()
  return async (endpoint) => {
    if (checked.has(endpoint)) return ok(undefined)
    const result = await checkEndpoint(endpoint, { ...served, exchange: null })
    if (result.ok) checked.add(endpoint)
    return result
  }
}

function exchangeProblem(exchange: Hex, [code, feature]: readonly RpcReply[]): string | null {
  if (hasNoCode(code)) return `has no contract at the exchange's address ${exchange}`
  return knowsRfqOrders(feature)
    ? null
    : `has no exchange at ${exchange} that fills RFQ orders (${FILL_RFQ_ORDER})`
}

function codeAt(address: string): RpcRequest {
  return { method: 'eth_getCode', params: [address, 'latest'] }
}

function call(to: string, data: string): RpcRequest {
  return { method: 'eth_call', params: [{ to, data }, 'latest'] }
}

function hasNoCode(reply: RpcReply | undefined): boolean {
  return hexOf(resultOf(reply), 'the code of a contract') === '0x'
}

/** A contract that is not the exchange reverts or returns something else. */
function knowsRfqOrders(reply: RpcReply | undefined): boolean {
  const word = readHex(dataOf(reply), 32)
  return word !== null && BigInt(word) !== 0n
}

/** Returns the data of a contract call, or nothing for a revert; any other error is the endpoint's. */
function dataOf(reply: RpcReply | undefined): unknown {
  return reply?.ok === false && describeRevert(reply.error) !== null ? '0x' : resultOf(reply)
}

function mismatch(endpoint: RpcEndpoint, what: string): { readonly ok: false; readonly error: RpcFailure } {
  const words = `${endpoint.label} ${what}`
  return err(rpcFailure('refused', words, { code: 'CHAIN_MISMATCH', retriable: false }))
}
