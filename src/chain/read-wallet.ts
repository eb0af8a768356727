import { encodeFunctionData, erc20Abi } from 'viem'
import { ok, type Result } from '../base/result.ts'
import { ASSETS, type Amounts, type Asset } from '../money/asset.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { BlockAsker } from './block-asker.ts'
import type { ChainSettings } from './chain-settings.ts'
import { decoded, resultOf, type ChainHead } from './read-head.ts'
import { hexOf, quantityOf } from './read-hex.ts'
import type { RpcFailure } from './rpc-failure.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'

/** The maker's tokens, what the exchange may take of them, and what gas costs. */
export type WalletReading = {
  readonly balances: Partial<Amounts>
  readonly allowances: Partial<Amounts>
  readonly gasPriceWei: bigint
}

/** All of it at one block, in one batch; the price of gas is of now. */
export async function readWallet(
  { tokens, maker, exchange }: Pick<ChainSettings, 'tokens' | 'maker' | 'exchange'>,
  { ask, endpoint, head }: { ask: BlockAsker; endpoint: RpcEndpoint; head: ChainHead },
): Promise<Result<WalletReading, RpcFailure>> {
  const known = tokenList(tokens)
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [maker] })
  const allowance = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [maker, exchange] })
  const answer = await ask(endpoint, head, (tag) => [
    { method: 'eth_gasPrice', params: [] },
    ...known.flatMap(({ token }) =>
      [balanceOf, allowance].map((data) => ({ method: 'eth_call', params: [{ to: token, data }, tag] })),
    ),
  ])
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const [gasPrice, ...words] = answer.value
    const balances: Partial<Amounts> = {}
    const allowances: Partial<Amounts> = {}
    for (const [index, { asset }] of known.entries()) {
      balances[asset] = wordOf(resultOf(words[2 * index]), `the balance of ${asset}`)
      allowances[asset] = wordOf(resultOf(words[2 * index + 1]), `the allowance of ${asset}`)
    }
    return ok({ balances, allowances, gasPriceWei: quantityOf(resultOf(gasPrice), 'the price of gas') })
  })
}

/** The tokens that the settings name, in the order of all assets. */
export function tokenList(
  tokens: ChainSettings['tokens'],
): readonly { readonly asset: Asset; readonly token: Hex }[] {
  return ASSETS.flatMap((asset) => {
    const token = tokens[asset]
    return token === undefined ? [] : [{ asset, token }]
  })
}

/** A uint256 as a contract returns it. */
function wordOf(value: unknown, what: string): bigint {
  return BigInt(hexOf(value, what, 32))
}
