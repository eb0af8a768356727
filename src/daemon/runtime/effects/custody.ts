import { join } from 'node:path'
import type { OrderEffect } from '../../../core/engine/model/effect.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { type Chain, CHAIN_DEFAULTS, type ChainSettings } from '../../../custody/chain/chain.ts'
import { openChain } from '../../../custody/chain/open-chain.ts'
import type { TransactionEvent } from '../../../custody/chain/transactions/sender-parts.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import type { RfqOrder } from '../../../core/rfq/rfq-order.ts'
import type { RfqSettings } from '../../../core/rfq/rfq-settings.ts'
import type { ReadOwnOrders } from '../../../custody/signing/policy/signing-guard.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import type { CustodyPort } from '../../../venue/port.ts'
import type { PositionHold } from '../lease/position-hold.ts'
import type { Clock } from '../position/clock.ts'
import { pinnedSolver } from '../../../custody/signing/policy/policy-state.ts'
import { openSharedSigning } from './shared-signing.ts'
import {
  longLifeWarning,
  openSignerFile,
  openWalletSigner,
  solverConflict,
  type WalletConfig,
} from './wallet-signer.ts'
import { createOrderPerformer } from './perform-orders.ts'

/** Performs the orders of a position, with its key and its chain. */
export type Custody = {
  readonly perform: (effect: OrderEffect) => Promise<Event>
  /** Adds to the venue's report of its solver the one that the signer has pinned. */
  readonly withPinnedSolver: (event: Event) => Event
  readonly close: () => Promise<void>
}

export type CustodyParts = {
  readonly config: LoadedConfig
  readonly client: Pick<CustodyPort, 'rfqOrder'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Null = no other daemon can hold the position. */
  readonly hold: Pick<PositionHold, 'gate' | 'fence'> | null
}

/** The file of transactions that were sent and may not be mined yet, next to the journal. */
export const TRANSACTIONS_FILE = 'transactions.json'
const WEI_PER_ETH = 1e18

/**
 * Opens key and chain of the `rfq` section; null = no such section. A signer that cannot sign ends the start. An unreachable chain does
 * not: each reading retries it, and nothing is signed before.
 */
export async function openCustody(parts: CustodyParts): Promise<Result<Custody | null, string>> {
  const { config, client, clock, log, metrics } = parts
  const { rfq } = config.core
  if (rfq === null || config.rfq === null) return ok(null)
  const wallet = { config, settings: rfq, rfq: config.rfq, isHeld: parts.hold?.gate.mayStart }
  const opened = await openMemory(wallet, parts)
  if (!opened.ok) return opened
  const { store, shared, fail } = opened.value
  const conflict = solverConflict(store, rfq)
  if (conflict !== null) return fail(conflict)
  if (pinnedSolver(store.state) === null && rfq.solver === null) log.warn({}, NOBODY_PINNED)
  const longLife = longLifeWarning(config.rfq.limits)
  if (longLife !== null) log.warn({}, longLife)
  let chain: LazyChain | null = null
  const signer = await openWalletSigner({
    ...wallet,
    store,
    shared,
    readOrders: async (orders) => readOwnOrders(await (chain?.get() ?? 'the chain is not open yet'), orders),
    warn: (line) => log.warn({}, line),
    now: clock.now,
  })
  if (!signer.ok) return fail(signer.error)
  chain = openOnce(() =>
    openChain(chainSettings(config, rfq), {
      account: signer.value.account,
      now: clock.now,
      onGas: (wei) => metrics.gasSpentEth.inc(Number(wei) / WEI_PER_ETH),
      onTransaction: (event) => logTransaction(log, event),
      transactionsFile: join(config.store.path, TRANSACTIONS_FILE),
    }),
  )
  const perform = createOrderPerformer({
    client,
    clock,
    signer: signer.value,
    domain: { chainId: rfq.chainId, exchange: rfq.exchange },
    chain: chain.get,
    onSigned: (seconds) => metrics.rfqSignSeconds.observe(seconds),
  })
  const { close } = chain
  return ok({
    perform,
    withPinnedSolver(event) {
      const pinned = pinnedSolver(store.state)
      const isNews = event.type === 'solver' && (pinned !== null || rfq.solver === null)
      return isNews ? { ...event, pinnedSolver: pinned } : event
    },
    async close() {
      await close()
      await opened.value.close()
    },
  })
}

/** The signer's file and its shared part: also read before each signature, and signing fails if that read fails. */
async function openMemory(wallet: WalletConfig, { hold, log }: Pick<CustodyParts, 'hold' | 'log'>) {
  const opened = openSignerFile(wallet)
  if (!opened.ok) return opened
  const store = opened.value
  const shared = openSharedSigning(wallet.config, wallet.settings, () => hold?.fence() ?? 0)
  const read = await shared?.read()
  if (read?.ok === true) store.state.shared = read.value
  if (read?.ok === false) log.warn({}, read.error)
  async function close(): Promise<void> {
    store.close()
    await shared?.close()
  }
  const fail = (why: string) => close().then(() => err(why))
  return ok({ store, shared, close, fail })
}

async function readOwnOrders(chain: Chain | string, orders: readonly RfqOrder[]): ReturnType<ReadOwnOrders> {
  if (typeof chain === 'string') return err(chain)
  const reading = await chain.read(orders, null)
  return reading.ok ? reading : err(reading.error.message)
}

const NOBODY_PINNED =
  "no solver is pinned, so the signer signs nothing: `mizani custody enable` shows the venue's solver and pins it"

const WORRYING: readonly TransactionEvent['kind'][] = [
  'reverted',
  'undone',
  'superseded',
  'fee-capped',
  'trouble',
]

function logTransaction(log: Log, { kind, words, ...transaction }: TransactionEvent): void {
  const line = { event: 'transaction', kind, ...transaction }
  const text = `transaction ${kind}: ${transaction.purpose}${words === '' ? '' : `, ${words}`}`
  if (WORRYING.includes(kind)) log.warn(line, text)
  else log.info(line, text)
}

/** The adapter's settings from the configuration. */
export function chainSettings({ rfq }: LoadedConfig, settings: RfqSettings): ChainSettings {
  const { chainId, exchange, maker, tokens, confirmations, maxChainLagMs } = settings
  return {
    ...CHAIN_DEFAULTS,
    chainId,
    exchange,
    maker,
    tokens,
    confirmations,
    maxHeadAgeMs: maxChainLagMs,
    watchTransfers: true,
    ...(rfq === null
      ? { urls: [] }
      : {
          ...rfq.gas,
          quorum: rfq.rpc.quorum,
          timeoutMs: rfq.rpc.timeoutMs,
          urls: rfq.rpc.urls.map((url) => () => url.reveal()),
        }),
  }
}

type LazyChain = {
  readonly get: () => Promise<Chain | string>
  readonly close: () => Promise<void>
}

/** Opens once, on first use; retries after a failure. */
function openOnce(open: () => Promise<Result<Chain, string>>): LazyChain {
  let opening: Promise<Result<Chain, string>> | null = null
  return {
    async get() {
      opening ??= open()
      const opened = await opening
      if (opened.ok) return opened.value
      opening = null
      return opened.error
    },
    async close() {
      const opened = await opening
      if (opened?.ok === true) await opened.value.close()
    },
  }
}
