import { keepNewest } from '../../base/bounded-map.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../base/time.ts'
import type { WalletTransfersEvent } from '../../core/engine/model/event.ts'
import type { Outflow } from '../../core/rfq/chain-reading.ts'
import type { Hex } from '../../core/rfq/rfq-order.ts'
import { CHAIN_DEFAULTS, type ChainSettings } from './chain.ts'
import { openEndpoints } from './open-chain.ts'
import { createBlockAsker } from './reading/block-asker.ts'
import { type ChainHead, createHeadPicker } from './reading/heads.ts'
import { readOutflows } from './reading/read-logs.ts'
import { checkOnce } from './rpc/check-endpoint.ts'
import { createEndpointPool, type EndpointPool } from './rpc/endpoint-pool.ts'
import type { RpcEndpoint } from './rpc/rpc-endpoint.ts'
import { rpcFailure, type RpcFailure } from './rpc/rpc-failure.ts'
import { runAfter, runCaught } from '../../base/threads/timing.ts'

/** The watched wallet of pooled capital, and its chain. Addresses in lower case. */
export type WatchedWallet = Pick<ChainSettings, 'chainId' | 'tokens' | 'urls' | 'timeoutMs'> & {
  readonly wallet: Hex
  /** A transfer to one of these addresses is an activation. */
  readonly pools: readonly Hex[]
  readonly pollMs: Ms
}

type WalletWatchParts = {
  readonly settings: WatchedWallet
  /** The position's clock. */
  readonly now: () => Ms
  /** Submits an event to the journal and the core. */
  readonly submit: (event: WalletTransfersEvent) => void
  /** Called with the reason when no reading has succeeded for a minute, and with null on recovery. */
  readonly onProblem: (problem: string | null) => void
}

export type WalletWatch = { readonly close: () => Promise<void> }

/** Five minutes of a chain with a block every two seconds, so that transfers during downtime are found as well. */
const LOOK_BACK_BLOCKS = 150n
/** Rereads the blocks that a reorganisation may replace. */
const READ_AGAIN_BLOCKS = 12n
const PATIENCE_MS = MINUTE_MS
const MOST_REMEMBERED = 10_000

/**
 * Reads the Transfer logs of a wallet until closed, and submits each transfer to an unknown address once. Holds no key.
 * Skips endpoints that serve another chain or other tokens.
 */
export function watchWallet(parts: WalletWatchParts): Result<WalletWatch, string> {
  const { settings, now, submit, onProblem } = parts
  const endpoints = openEndpoints(settings)
  if (!endpoints.ok) return endpoints
  const read = createTransferReader(createEndpointPool(endpoints.value, now), settings, now)
  const silence = createSilence(now, onProblem)
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function readOnce(): Promise<void> {
    const reading = await read()
    if (isClosed) return
    silence.note(reading)
    if (reading.ok && reading.value.outflows.length > 0)
      submit({ type: 'walletTransfers', t: now(), ...reading.value })
  }

  const readAgain = (): Promise<void> =>
    readOnce().finally(() => {
      if (!isClosed) timer = runAfter(readAgain, settings.pollMs).unref()
    })

  runCaught(readAgain)
  return ok({
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all(endpoints.value.map((endpoint) => endpoint.close()))
    },
  })
}

/** Returns why each endpoint cannot be used to watch; null = it can. */
export async function checkWatch(
  settings: WatchedWallet,
  now: () => Ms,
): Promise<Result<readonly { readonly label: string; readonly problem: string | null }[], string>> {
  const endpoints = openEndpoints(settings)
  if (!endpoints.ok) return endpoints
  const results = await Promise.all(
    endpoints.value.map(async (endpoint) => {
      const pool = createEndpointPool([endpoint], now)
      const read = createTransferReader(pool, settings, now)
      const reading = await read()
      await endpoint.close()
      return { label: endpoint.label, problem: reading.ok ? null : reading.error.words }
    }),
  )
  return ok(results)
}

type Transfers = Pick<WalletTransfersEvent, 'outflows' | 'isFromBefore'>

/** Each reading continues where the last one ended, and returns only new transfers. */
function createTransferReader(
  pool: EndpointPool,
  settings: WatchedWallet,
  now: () => Ms,
): () => Promise<Result<Transfers, RpcFailure>> {
  const { chainId, tokens, wallet, pools } = settings
  const { maxHeadAgeMs, logsChunkBlocks } = CHAIN_DEFAULTS
  const pickHead = createHeadPicker(pool, { chainId, quorum: 1, maxHeadAgeMs }, now)
  const ask = createBlockAsker()
  const check = checkOnce({ chainId, tokens })
  const isNews = createNewsFilter(pools)
  let readTo: bigint | null = null

  async function outflowsUpTo(
    head: ChainHead,
    endpoint: RpcEndpoint,
  ): Promise<Result<readonly Outflow[], RpcFailure>> {
    const isServed = await check(endpoint)
    if (!isServed.ok) return isServed
    const from = readTo === null ? head.number - LOOK_BACK_BLOCKS : readTo + 1n - READ_AGAIN_BLOCKS
    const parts = { ask, endpoint, head, chunkBlocks: logsChunkBlocks }
    return readOutflows(from < 0n ? 0n : from, { tokens, maker: wallet }, parts)
  }

  return async () => {
    const picked = await pickHead()
    if (!picked.ok) return picked
    const { head } = picked.value
    const [endpoint] = picked.value.endpoints
    if (endpoint === undefined) return err(rpcFailure('network', 'no endpoint of the chain answered'))
    const ageMs = now() - head.t
    if (ageMs > PATIENCE_MS) {
      const words = `the newest block of ${endpoint.label} is ${Math.round(ageMs / SECOND_MS)} s old`
      return err(rpcFailure('malformed', words, { code: 'OLD_HEAD' }))
    }
    const found = await outflowsUpTo(head, endpoint)
    if (!found.ok) {
      pool.note(endpoint, false)
      return found
    }
    const isFromBefore = readTo === null
    if (readTo === null || head.number > readTo) readTo = head.number
    return ok({ outflows: found.value.filter(isNews), isFromBefore })
  }
}

/** Returns a filter that passes each transfer once, and none to a pool. */
function createNewsFilter(pools: readonly Hex[]): (outflow: Outflow) => boolean {
  const given = new Map<string, true>()
  return ({ key, to }) =>
    !pools.includes(to) && !given.has(key) && keepNewest(given, key, true, MOST_REMEMBERED)
}

/** Reports once when readings have failed for too long, and once on recovery. */
function createSilence(now: () => Ms, onProblem: WalletWatchParts['onProblem']) {
  let since = now()
  let isReported = false
  return {
    note(reading: Result<unknown, RpcFailure>): void {
      if (reading.ok) {
        since = now()
        if (isReported) onProblem(null)
        isReported = false
      } else if (!isReported && now() - since >= PATIENCE_MS) {
        isReported = true
        onProblem(reading.error.words)
      }
    },
  }
}
