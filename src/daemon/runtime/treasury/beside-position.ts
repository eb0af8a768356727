import { errorText } from '../../../base/result.ts'
import type { RunningPosition } from '../position/run-position.ts'
import type { Overridden } from '../position/overrides.ts'
import type { ReloadedEvent } from '../../../core/engine/model/config-event.ts'
import type { FollowedTreasury } from './following/follow-treasury.ts'
import type { OpenedTreasury, OpenTreasuryParts } from './open-treasury.ts'
import type { RunningTreasury } from './run-treasury.ts'
import { reportAlert, type TellParts } from './report-observation.ts'

/** Loads the treasury's code only if a treasury is configured. A treasury that cannot be recovered never stops trading. */
export async function openTreasuryIfUsed(parts: OpenTreasuryParts): Promise<OpenedTreasury | null> {
  if (parts.config.treasury === null) return null
  try {
    const { openTreasury } = await import('./open-treasury.ts')
    return openTreasury(parts)
  } catch (error) {
    reportNoTreasury(parts, error)
    return null
  }
}

export async function runTreasuryBeside(
  opened: OpenedTreasury | null,
  position: RunningPosition,
  parts: TellParts,
): Promise<RunningTreasury | null> {
  try {
    return (await opened?.run(position)) ?? null
  } catch (error) {
    reportNoTreasury(parts, error)
    return null
  }
}

/** The treasury of a standby, while another daemon trades its position: see `followTreasury` and `adoptWhileHeld`. */
export type TreasuryBeforeTakeOver = {
  /** Records that the holder trades with this database, so that the treasury continues after a take-over without a person. */
  readonly sawHolderLive: () => void
  readonly followed: () => FollowedTreasury | null
  readonly end: () => void
}

/** Returns null without a treasury, or if no other daemon can hold its position. */
export function standByWithTreasury({
  config: { treasury, store },
  log,
}: Pick<OpenTreasuryParts, 'config' | 'log'>): TreasuryBeforeTakeOver | null {
  const { place } = store
  if (treasury === null || typeof place === 'string') return null
  let followed: FollowedTreasury | null = null
  let isEnded = false
  void import('./following/follow-treasury.ts').then(({ followTreasury }) => {
    if (!isEnded) followed = followTreasury({ place })
  })
  return {
    sawHolderLive: () => void recordHeldStore(store, log),
    followed: () => followed,
    end() {
      isEnded = true
      followed?.end()
    },
  }
}

async function recordHeldStore(
  store: OpenTreasuryParts['config']['store'],
  log: OpenTreasuryParts['log'],
): Promise<void> {
  try {
    const { adoptWhileHeld } = await import('./store-origin.ts')
    await adoptWhileHeld(store)
  } catch (error) {
    log.warn(
      {},
      `a person will have to confirm the treasury's balances after a take-over: ${errorText(error)}`,
    )
  }
}

function reportNoTreasury(parts: TellParts, error: unknown): void {
  const words = `the treasury could not start, and trading continues without it: ${errorText(error)}`
  reportAlert(parts, Date.now(), 'treasury-failed', words)
}

/** Returns a reload of position and treasury. The policy's author is the token that reloaded; null = anyone who may write the file. */
export function reloadBoth(position: RunningPosition, treasury: RunningTreasury | null) {
  return {
    reloadRefused: position.reloadRefused,
    reload(next: Overridden, by: ReloadedEvent['by'], author: string | null): void {
      position.reload(next, by)
      const { treasury: policy } = next.config
      if (policy !== null) treasury?.reload(policy, author)
    },
  }
}
