import { zeroAddress, type LocalAccount } from 'viem'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { VenueFailure } from '../../core/engine/model/venue-answer.ts'
import type { Hex } from '../../core/rfq/rfq-order.ts'
import { approveAllowance, cancelCall } from './transactions/wallet-calls.ts'
import { createChainReader } from './reading/chain-reader.ts'
import { CHAIN_DEFAULTS, type Chain, type ChainSettings } from './chain.ts'
import { checkEndpoint } from './rpc/check-endpoint.ts'
import { createEndpointPool, type EndpointPool } from './rpc/endpoint-pool.ts'
import { createRpcEndpoint, type RpcEndpoint } from './rpc/rpc-endpoint.ts'
import { rpcFailure, toChainFailure } from './rpc/rpc-failure.ts'
import type { TransactionEvent } from './transactions/sender-parts.ts'
import { createTransactionSender, type TransactionSender } from './transactions/transaction-sender.ts'
import { openTransactionStore } from './transactions/transaction-store.ts'

export type ChainParts = {
  /** Signs transactions; null = read-only. */
  readonly account: LocalAccount | null
  readonly now: () => Ms
  /** Called once for each transaction in a block, with its cost. */
  readonly onGas?: (wei: bigint, purpose: string) => void
  /** Called after every request with the endpoint's host, `ok` or the failure's kind, and the duration. */
  readonly onEndpoint?: (label: string, outcome: string, seconds: number) => void
  readonly onTransaction?: (event: TransactionEvent) => void
  /** The file in which unconfirmed transactions survive a restart; null = no file. Processes may share it. */
  readonly transactionsFile: string | null
}

/**
 * Opens the chain for one maker. Every endpoint that answers must serve the chain, the exchange, the tokens and the
 * decimals of the settings. The error is one line.
 */
export async function openChain(given: ChainSettings, parts: ChainParts): Promise<Result<Chain, string>> {
  const settings = inLowerCase(given)
  const problem = settingsProblem(settings, parts.account)
  if (problem !== null) return err(problem)
  const endpoints = openEndpoints(settings, parts)
  if (!endpoints.ok) return endpoints
  const leave = async (why: string) => {
    await Promise.all(endpoints.value.map((endpoint) => endpoint.close()))
    return err(why)
  }
  const pool = createEndpointPool(endpoints.value, parts.now)
  const wrong = await checkAll(pool, settings)
  if (wrong !== null) return leave(wrong)
  const sender = await openSender(settings, pool, parts)
  if (!sender.ok) return leave(sender.error)
  return ok(chainOf(settings, { pool, sender: sender.value, parts, endpoints: endpoints.value }))
}

function settingsProblem(settings: ChainSettings, account: LocalAccount | null): string | null {
  const { maker, exchange, urls, quorum } = settings
  if (maker === zeroAddress) return 'the maker is the zero address'
  if (exchange === zeroAddress) return 'the exchange is the zero address'
  if (urls.length === 0) return 'no endpoint of the chain is configured'
  if (quorum < 1 || quorum > urls.length)
    return `${quorum} endpoints cannot agree if only ${urls.length} are configured`
  if (account !== null && account.address.toLowerCase() !== maker)
    return `the key belongs to wallet ${account.address.toLowerCase()}, but the maker is ${maker}`
  return null
}

/** Opens one endpoint per URL, in their order; sends nothing yet. */
export function openEndpoints(
  settings: Pick<ChainSettings, 'urls' | 'timeoutMs'> & Partial<Pick<ChainSettings, 'maxAnswerBytes'>>,
  { onEndpoint }: Pick<ChainParts, 'onEndpoint'> = {},
): Result<readonly RpcEndpoint[], string> {
  const endpoints: RpcEndpoint[] = []
  for (const [index, given] of settings.urls.entries()) {
    const url = typeof given === 'string' ? given : given()
    const host = URL.canParse(url) && /^https?:/.test(url) ? new URL(url).host : null
    if (host === null) return err(`endpoint ${index + 1} of the chain is not an http or https URL`)
    const isAnother = endpoints.some(({ label }) => label === host)
    const { timeoutMs, maxAnswerBytes: maxBytes = CHAIN_DEFAULTS.maxAnswerBytes } = settings
    const label = isAnother ? `${host} (endpoint ${index + 1})` : host
    endpoints.push(createRpcEndpoint(url, { label, timeoutMs, maxBytes, onEndpoint }))
  }
  return ok(endpoints)
}

/** Returns the first mismatch, or that no endpoint answers; null = at least one answers and none mismatches. */
async function checkAll(pool: EndpointPool, settings: ChainSettings): Promise<string | null> {
  const results = await pool.all((endpoint) => checkEndpoint(endpoint, settings))
  const failures = results.flatMap((result) => (result.ok ? [] : [result.error]))
  const mismatch = failures.find(({ code }) => code === 'CHAIN_MISMATCH')
  if (mismatch !== undefined) return mismatch.words
  if (failures.length < results.length) return null
  return `no endpoint of the chain can be reached: ${failures.map(({ words }) => words).join('; ')}`
}

/** Opens the sender of the wallet's transactions; null if the chain is only read. */
async function openSender(
  settings: ChainSettings,
  pool: EndpointPool,
  { account, transactionsFile, now, onGas, onTransaction }: ChainParts,
): Promise<Result<TransactionSender | null, string>> {
  if (account === null) return ok(null)
  const opened = await openTransactionStore(transactionsFile, {
    chainId: settings.chainId,
    account: settings.maker,
  })
  if (!opened.ok) return opened
  const store = opened.value
  return ok(createTransactionSender({ account, settings, pool, store, now, onGas, onTransaction }))
}

type OpenParts = {
  readonly pool: EndpointPool
  readonly sender: TransactionSender | null
  readonly parts: ChainParts
  readonly endpoints: readonly RpcEndpoint[]
}

function chainOf(settings: ChainSettings, { pool, sender, parts, endpoints }: OpenParts): Chain {
  const read = createChainReader(pool, settings, parts.now)
  const wallet: Chain['wallet'] = async () => {
    const reading = await read([], null)
    return reading.ok ? reading : err({ ...reading.error, route: 'chain wallet' })
  }
  return {
    read,
    wallet,
    cancel: async (cancel) => {
      const route = 'chain cancel'
      const call = cancelCall(cancel, settings.exchange)
      if (sender === null) return err(noAccount(route))
      return call === null ? err(nothingToCancel(route)) : sender.send(call, route)
    },
    approve: async (asset, amount) =>
      sender === null
        ? err(noAccount('chain approve'))
        : approveAllowance(asset, amount, { settings, pool, sender, wallet }),
    close: async () => {
      await sender?.close()
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}

function noAccount(route: string): VenueFailure {
  const words = 'this chain was opened without a key, for reading only'
  return toChainFailure(route, rpcFailure('refused', words, { code: 'NO_ACCOUNT', retriable: false }))
}

function nothingToCancel(route: string): VenueFailure {
  const more = { code: 'NOTHING_TO_CANCEL', retriable: false }
  return toChainFailure(
    route,
    rpcFailure('refused', 'the cancellation names no order, or an order that the exchange cannot read', more),
  )
}

function inLowerCase(settings: ChainSettings): ChainSettings {
  const lower = (hex: Hex) => hex.toLowerCase() as Hex
  const tokens = Object.entries(settings.tokens).map(([asset, token]) => [asset, lower(token)])
  return {
    ...settings,
    exchange: lower(settings.exchange),
    maker: lower(settings.maker),
    tokens: Object.fromEntries(tokens) as ChainSettings['tokens'],
  }
}
