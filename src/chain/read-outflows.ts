import { toEventSelector } from 'viem'
import { ok, type Result } from '../base/result.ts'
import type { Outflow } from '../rfq/chain-reading.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { ChainSettings } from './chain-settings.ts'
import { MalformedAnswerError } from './malformed-answer-error.ts'
import { hexOf, quantityOf } from './read-hex.ts'
import { readLogs, type BlockRange, type LogsParts } from './read-logs.ts'
import { tokenList } from './read-wallet.ts'
import type { RpcFailure } from './rpc-failure.ts'

/** topic0 of an ERC-20 Transfer; sender and receiver are the next two. */
export const TRANSFER: Hex = toEventSelector('Transfer(address,address,uint256)')

/** What left the maker's wallet in the blocks `from` to the head: the Transfer logs of the known tokens. */
export async function readOutflows(
  from: bigint,
  { tokens, maker }: Pick<ChainSettings, 'tokens' | 'maker'>,
  parts: LogsParts,
): Promise<Result<readonly Outflow[], RpcFailure>> {
  const known = tokenList(tokens)
  if (known.length === 0) return ok([])
  const sender: Hex = `0x${maker.slice(2).padStart(64, '0')}`
  const address = known.map(({ token }) => token)
  const read = (log: unknown, range: BlockRange) => outflowOf(log, range, { known, sender })
  return readLogs(from, { address, topics: [TRANSFER, sender], read }, parts)
}

type Expected = { readonly known: ReturnType<typeof tokenList>; readonly sender: Hex }

/** Null for a log of a block that is no longer on the chain, and for a transfer of nothing. */
function outflowOf(log: unknown, { first, last }: BlockRange, { known, sender }: Expected): Outflow | null {
  if (typeof log !== 'object' || log === null) throw new MalformedAnswerError('a transfer is no log')
  const fields = log as Readonly<Record<string, unknown>>
  if (fields['removed'] === true) return null
  const topics = Array.isArray(fields['topics']) ? fields['topics'] : []
  const address = hexOf(fields['address'], 'the token of a transfer', 20)
  const token = known.find((one) => one.token === address)
  const isAsked =
    token !== undefined &&
    hexOf(topics[0], 'the topic of a transfer', 32) === TRANSFER &&
    hexOf(topics[1], 'the sender of a transfer', 32) === sender
  if (!isAsked) throw new MalformedAnswerError('a log that was not asked for')
  const block = quantityOf(fields['blockNumber'], 'the block of a transfer')
  if (block < first || block > last)
    throw new MalformedAnswerError('a transfer of a block that was not asked for')
  const amount = BigInt(hexOf(fields['data'], 'the amount of a transfer', 32))
  if (amount === 0n) return null
  const txHash = hexOf(fields['transactionHash'], 'the transaction of a transfer', 32)
  const logIndex = quantityOf(fields['logIndex'], 'the place of a transfer')
  const to: Hex = `0x${hexOf(topics[2], 'the receiver of a transfer', 32).slice(-40)}`
  return { key: `${txHash}:${logIndex}`, asset: token.asset, amount, to, block, txHash }
}
