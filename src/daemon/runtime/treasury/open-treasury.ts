import type { TokenFinder } from '../../../custody/chain/token-finder.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Observation } from '../../../core/engine/model/observation.ts'
import { createPartnerClient } from '../../../treasury/api/client.ts'
import type { PostedStore } from '../../../store/journal/posted-store.ts'
import type { FollowedTreasury } from './following/follow-treasury.ts'
import { recoverTreasury, runTreasury, type RunningTreasury } from './run-treasury.ts'
import type { PositionHold } from '../lease/position-hold.ts'
import type { SystemClock } from '../position/clock.ts'
import type { RunningPosition } from '../position/run-position.ts'
import { seedAlertCounters, reportAlert, reportObservation, type TellParts } from './report-observation.ts'

/** A recovered treasury that waits for its position. */
export type OpenedTreasury = {
  /** Records the position's observations, including replayed ones. */
  readonly record: (seq: number, observations: readonly Observation[]) => void
  readonly run: (position: RunningPosition) => Promise<RunningTreasury>
}

export type OpenTreasuryParts = TellParts & {
  readonly config: LoadedConfig
  readonly version: string
  readonly store: Pick<PostedStore, 'treasury'>
  readonly clock: SystemClock
  /** The state that this daemon folded while it stood by; null = it did not stand by. */
  readonly followed: FollowedTreasury | null
  /** Null = no other daemon can hold the position. */
  readonly hold: Pick<PositionHold, 'gate'> | null
}

/**
 * Recovers the treasury of a position from its store. It does so before the position runs, because it records the flow of
 * the position's replay. Returns null without a treasury. Throws StoreReadError.
 */
export function openTreasury(parts: OpenTreasuryParts): OpenedTreasury | null {
  const { config, version, store, clock, log } = parts
  const { treasury } = config
  if (treasury === null) return null
  seedAlertCounters(parts.metrics)
  const recovered = recoverTreasury(store.treasury, parts.followed?.fold())
  let running: RunningTreasury | null = null
  return {
    record(seq, observations) {
      recovered.flow.record(seq, observations)
      for (const one of observations)
        if (one.type === 'tradingStateChanged' && one.to === 'HALTED') running?.halt(one.t, one.why)
    },
    async run(position) {
      running = await runTreasury({
        recovered,
        config: treasury,
        version,
        journal: store.treasury,
        store: config.store,
        client: partnerClientOf(treasury, parts),
        chain: await finderOf(parts),
        position,
        clock,
        observe: (observation) => reportObservation(parts, observation),
        alert: (code, message) => reportAlert(parts, clock.now(), code, message),
        warn: (words) => log.warn({ event: 'treasury' }, words),
      })
      // The position may have been halted while the treasury started.
      const { halted } = position.state().latch
      if (halted !== null) running.halt(halted.since, halted.why)
      return running
    },
  }
}

/** Returns a finder on the chain of the configuration's `chain` section. Its code is large, so it is loaded only if needed. */
async function finderOf({ config: { chain }, clock, log }: OpenTreasuryParts): Promise<TokenFinder | null> {
  if (chain === null) return null
  const { openTokenFinder } = await import('../../../custody/chain/token-finder.ts')
  const finder = openTokenFinder({ ...chain, urls: chain.urls.map((url) => () => url.reveal()) }, clock.now)
  if (finder.ok) return finder.value
  log.warn({ event: 'treasury' }, `transfers are not searched on the chain: ${finder.error}`)
  return null
}

/** Returns the partner client, which sends a payment only while this daemon holds the position. */
export function partnerClientOf(
  { partner, apiKey }: NonNullable<LoadedConfig['treasury']>,
  { hold }: Pick<OpenTreasuryParts, 'hold'>,
) {
  const mayStart = hold === null ? {} : { mayStart: hold.gate.mayStart }
  return createPartnerClient(partner, { apiKey: apiKey.reveal() }, mayStart)
}
