import type { Result } from '../../../base/result.ts'
import { SECOND_MS } from '../../../base/time.ts'
import { weiOf } from '../../../custody/chain/transactions/prepare-transaction.ts'
import type { LoadedConfig, LoadedRfq } from '../../config/load/loaded-config.ts'
import { GUARDED_LIFE_MS } from '../../config/schema/rfq.ts'
import type { RfqSettings } from '../../../core/rfq/rfq-settings.ts'
import { openSigner } from '../../../custody/signing/open-signer.ts'
import type { OrderSigner } from '../../../custody/signing/order-signer.ts'
import {
  openPolicyStore,
  type PolicyStore,
  type PolicyUse,
} from '../../../custody/signing/policy/policy-store.ts'
import { pinnedSolver } from '../../../custody/signing/policy/policy-state.ts'
import type { SharedMemory } from '../../../custody/signing/policy/shared-memory.ts'
import { createSigningGuard, type ReadOwnOrders } from '../../../custody/signing/policy/signing-guard.ts'
import { storeFiles } from '../../../store/store-files.ts'

/** The wallet's part of a configuration: the same section in two forms, and the location of its files. */
export type WalletConfig = {
  readonly config: LoadedConfig
  readonly settings: RfqSettings
  readonly rfq: LoadedRfq
}

type WalletSignerParts = WalletConfig & {
  /** The signer's memory; a signer opened only for inspection gets one that never lets it sign. */
  readonly store: PolicyStore
  /** The signer's own reading of the chain. */
  readonly readOrders: ReadOwnOrders
  /** Receives lines for the operator. */
  readonly warn: (line: string) => void
  readonly now: () => number
  /** See `SigningGuardParts`. */
  readonly isHeld?: (() => boolean) | undefined
  readonly shared?: SharedMemory | null
}

/** Opens the wallet's file next to the journal: signed orders, their solver, and the signing stop. The error is a sentence. */
export function openSignerFile(
  { config, settings }: WalletConfig,
  use: PolicyUse = 'sign',
): Result<PolicyStore, string> {
  return openPolicyStore(storeFiles(config.store.path).signer, ownerOf(settings), use)
}

/** No-op signer memory, used only to check that the key unlocks. */
export function inMemoryPolicyStore(settings: RfqSettings): PolicyStore {
  const opened = openPolicyStore(null, ownerOf(settings))
  if (!opened.ok) throw new Error(opened.error)
  return opened.value
}

/** Opens the key of the configuration's wallet behind the signer's own limits. The error is one line without key material. */
export function openWalletSigner(parts: WalletSignerParts): Promise<Result<OrderSigner, string>> {
  const { config, settings, rfq, store, readOrders, warn, now, isHeld, shared = null } = parts
  const { chainId, exchange, tokens, maker, confirmations, maxChainLagMs, maxClockOffsetMs } = settings
  const policy = {
    domain: { chainId, exchange },
    tokens,
    solver: settings.solver,
    corridor: config.core.risk.priceCorridor,
    ...rfq.limits,
    approve: rfq.approve,
    maxFeePerGas: weiOf(rfq.gas.maxFeeGwei),
    confirmations,
    maxChainLagMs,
    maxClockOffsetMs,
  }
  const wall = createSigningGuard({
    policy,
    store,
    readOrders,
    now,
    ...(isHeld === undefined ? {} : { isHeld }),
    ...(shared === null ? {} : { shared }),
  })
  return openSigner(rfq.signer, { wall, mode: config.core.mode, maker, warn })
}

/** Returns why configuration and signer contradict each other; null = they agree. */
export function solverConflict(store: PolicyStore, { solver: named }: RfqSettings): string | null {
  const pinned = pinnedSolver(store.state)
  if (named === null || pinned === null || named === pinned) return null
  return `rfq.solver is ${named}, but the signer signs only for ${pinned}; \`mizani custody enable --solver ${named}\` pins the configured one`
}

/** Returns a warning if orders outlive a dead daemon for longer than the default under a guard; null = no warning. */
export function longLifeWarning({ maxLifeMs }: Pick<LoadedRfq['limits'], 'maxLifeMs'>): string | null {
  if (maxLifeMs <= GUARDED_LIFE_MS) return null
  return `signed orders may live ${maxLifeMs / SECOND_MS} s (rfq.maxLifeMs): if the daemon dies, they can be filled for that long, because sealed cancels no longer exist. Set rfq.maxLifeMs to ${GUARDED_LIFE_MS} or less; \`mizani rfq cancel-all\` ends orders sooner`
}

function ownerOf({ maker, chainId, exchange }: RfqSettings) {
  return { wallet: maker, chainId, exchange }
}
