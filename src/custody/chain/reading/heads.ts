import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import type { ChainSettings } from '../chain.ts'
import type { EndpointPool } from '../rpc/endpoint-pool.ts'
import type { RpcEndpoint } from '../rpc/rpc-endpoint.ts'
import { rpcFailure, type RpcFailure } from '../rpc/rpc-failure.ts'
import type { Hex } from '../../../core/rfq/rfq-order.ts'
import { decoded, hexOf, MalformedAnswerError, quantityOf, resultOf } from '../rpc/decode.ts'

/** A block to read, and the endpoints that have it, in the order of use. */
type PickedHead = { readonly head: ChainHead; readonly endpoints: readonly RpcEndpoint[] }

type HeadPicker = () => Promise<Result<PickedHead, RpcFailure>>

type PickerSettings = Pick<ChainSettings, 'chainId' | 'quorum' | 'maxHeadAgeMs'>

/** Endpoints on two sides of a fork agree a few blocks below their heads. */
const BLOCKS_BACK = 3n

/**
 * Picks the block to read. With a quorum: the highest block on whose hash and time enough endpoints agree, so that no
 * single endpoint can invent either. Otherwise: the head of the first good endpoint, or the highest of all heads if
 * that one is old or behind an earlier head.
 */
export function createHeadPicker(pool: EndpointPool, settings: PickerSettings, now: () => Ms): HeadPicker {
  let highest = -1n
  return async () => {
    const picked =
      settings.quorum > 1 ? await pickAgreed(pool, settings) : await pickOne(pool, settings, highest, now)
    if (picked.ok) highest = picked.value.head.number
    return picked
  }
}

async function pickOne(
  pool: EndpointPool,
  { chainId, maxHeadAgeMs }: PickerSettings,
  highest: bigint,
  now: () => Ms,
): Promise<Result<PickedHead, RpcFailure>> {
  const first = await pool.first((endpoint) => readHead(endpoint, chainId))
  if (!first.ok) return first
  const { head, endpoint } = first.value
  const isBehind = head.number < highest || now() - head.t > maxHeadAgeMs
  if (!isBehind || pool.size === 1) return ok({ head, endpoints: [endpoint] })
  const { seen } = await headsOfAll(pool, chainId)
  const further = seen.reduce((best, one) => (one.head.number > best.head.number ? one : best), first.value)
  return ok({ head: further.head, endpoints: [further.endpoint] })
}

async function pickAgreed(
  pool: EndpointPool,
  { chainId, quorum }: PickerSettings,
): Promise<Result<PickedHead, RpcFailure>> {
  const { seen, failures } = await headsOfAll(pool, chainId)
  if (seen.length < quorum) return err(noQuorum(seen.length, quorum, failures))
  const heights = seen.map(({ head }) => head.number).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const height = heights[quorum - 1] ?? 0n
  let last: readonly SeenHead[] = []
  for (let number = height; number >= 0n && height - number < BLOCKS_BACK; number--) {
    last = await blocksAt(number, seen, chainId)
    for (const { head } of last) {
      const agreeing = last.filter((one) => isSame(one.head, head))
      if (agreeing.length < quorum) continue
      return ok({ head, endpoints: agreeing.map(({ endpoint }) => endpoint) })
    }
  }
  const versions = last.map(({ endpoint, head }) => `${endpoint.label} has ${head.hash} of ${head.t}`)
  const words = `the endpoints disagree on the blocks up to ${height}: ${versions.join(', ')}`
  return err(rpcFailure('malformed', words, { code: 'RPC_DISAGREES' }))
}

/** Returns each endpoint's block at a height; omits endpoints without it. */
async function blocksAt(
  number: bigint,
  seen: readonly SeenHead[],
  chainId: number,
): Promise<readonly SeenHead[]> {
  const having = seen.filter(({ head }) => head.number >= number)
  const blocks = await Promise.all(
    having.map(async (one) => {
      if (one.head.number === number) return one
      const below = await readHead(one.endpoint, chainId, number)
      return below.ok && below.value.head.number === number ? below.value : null
    }),
  )
  return blocks.filter((block) => block !== null)
}

async function headsOfAll(
  pool: EndpointPool,
  chainId: number,
): Promise<{ readonly seen: readonly SeenHead[]; readonly failures: readonly RpcFailure[] }> {
  const results = await pool.all((endpoint) => readHead(endpoint, chainId))
  return {
    seen: results.flatMap((result) => (result.ok ? [result.value] : [])),
    failures: results.flatMap((result) => (result.ok ? [] : [result.error])),
  }
}

/** Returns the failure for too few answers. */
export function noQuorum(answered: number, quorum: number, failures: readonly RpcFailure[]): RpcFailure {
  const why = failures.map(({ words }) => words).join('; ')
  const words = `${answered} of the ${quorum} endpoints that must agree answered${why === '' ? '' : `: ${why}`}`
  return rpcFailure(failures[0]?.kind ?? 'network', words, { code: 'NO_QUORUM' })
}

function isSame(a: ChainHead, b: ChainHead): boolean {
  return a.hash === b.hash && a.t === b.t && a.number === b.number
}

export type ChainHead = { readonly number: bigint; readonly hash: Hex; readonly t: Ms }

/** A head, and the endpoint that reported it. */
type SeenHead = { readonly endpoint: RpcEndpoint; readonly head: ChainHead }

/**
 * Returns the latest block of an endpoint, or the block with a number. Checks the chain id every time, because the node
 * behind a URL may change.
 */
export async function readHead(
  endpoint: RpcEndpoint,
  chainId: number,
  number: bigint | null = null,
): Promise<Result<SeenHead, RpcFailure>> {
  const tag = number === null ? 'latest' : `0x${number.toString(16)}`
  const answer = await endpoint.ask([
    { method: 'eth_getBlockByNumber', params: [tag, false] },
    { method: 'eth_chainId', params: [] },
  ])
  if (!answer.ok) return answer
  return decoded(endpoint, () => {
    const [block, chain] = answer.value
    const id = quantityOf(resultOf(chain), 'the chain id')
    if (id !== BigInt(chainId)) {
      const words = `${endpoint.label} is on chain ${id}, but the settings have ${chainId}`
      return err(rpcFailure('refused', words, { code: 'CHAIN_MISMATCH', retriable: false }))
    }
    return ok({ endpoint, head: headOf(resultOf(block)) })
  })
}

function headOf(block: unknown): ChainHead {
  if (typeof block !== 'object' || block === null) throw new MalformedAnswerError('there is no such block')
  const { number, hash, timestamp } = block as Readonly<Record<string, unknown>>
  return {
    number: quantityOf(number, 'the number of a block'),
    hash: hexOf(hash, 'the hash of a block', 32),
    t: Number(quantityOf(timestamp, 'the time of a block')) * 1_000,
  }
}
