import { err, ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'
import type { ChainSettings } from './chain-settings.ts'
import type { EndpointPool } from './endpoint-pool.ts'
import { readHead, type ChainHead, type SeenHead } from './read-head.ts'
import type { RpcEndpoint } from './rpc-endpoint.ts'
import { rpcFailure, type RpcFailure } from './rpc-failure.ts'

/** A block to read, and the endpoints that have it, the one to ask first first. */
export type PickedHead = { readonly head: ChainHead; readonly endpoints: readonly RpcEndpoint[] }

export type HeadPicker = () => Promise<Result<PickedHead, RpcFailure>>

type PickerSettings = Pick<ChainSettings, 'chainId' | 'quorum' | 'maxHeadAgeMs'>

/** Endpoints on two sides of a fork agree some blocks further down. */
const BLOCKS_BACK = 3n

/**
 * Picks the block that a reading is about. For a quorum: the highest one that enough endpoints have, by
 * hash and time, so that nobody by himself can invent a block or its clock. Otherwise the head of the first
 * good endpoint; where that is old or behind what was seen before, the highest head of all.
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
  const said = last.map(({ endpoint, head }) => `${endpoint.label} has ${head.hash} of ${head.t}`)
  const words = `the endpoints disagree on the blocks up to ${height}: ${said.join(', ')}`
  return err(rpcFailure('malformed', words, { code: 'RPC_DISAGREES' }))
}

/** The block of that number on everybody's chain; those who do not have it are left out. */
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
  const endpoints = pool.inOrder()
  const results = await Promise.all(endpoints.map((endpoint) => readHead(endpoint, chainId)))
  results.forEach((result, index) => {
    const endpoint = endpoints[index]
    if (endpoint !== undefined) pool.note(endpoint, result.ok)
  })
  return {
    seen: results.flatMap((result) => (result.ok ? [result.value] : [])),
    failures: results.flatMap((result) => (result.ok ? [] : [result.error])),
  }
}

/** Too few endpoints answered. */
export function noQuorum(answered: number, quorum: number, failures: readonly RpcFailure[]): RpcFailure {
  const why = failures.map(({ words }) => words).join('; ')
  const words = `${answered} of the ${quorum} endpoints that must agree answered${why === '' ? '' : `: ${why}`}`
  return rpcFailure(failures[0]?.kind ?? 'network', words, { code: 'NO_QUORUM' })
}

function isSame(a: ChainHead, b: ChainHead): boolean {
  return a.hash === b.hash && a.t === b.t && a.number === b.number
}
