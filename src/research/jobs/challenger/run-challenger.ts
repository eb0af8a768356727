import { dirname, join, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import { calibrateTape } from '../../calibration/calibrate.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import {
  loadStrategyApart,
  type LoadStrategyOptions,
  type StrategyReference,
} from '../../../daemon/config/strategy/load-strategy.ts'
import { strategyFingerprint } from '../../../daemon/config/strategy/strategy-fingerprint.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import { StrategyLost } from '../../../core/strategy/ask-strategy.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import { openTape } from '../../../store/tape/folder/open-tape.ts'
import type { TapeBatch, TapeSource, TapeWindow } from '../../../store/tape/model/batch.ts'
import type { ChallengerView } from '../../../daemon/view/challenger-view.ts'
import { compareShadows } from './compare-shadows.ts'
import {
  type ChallengerAnswer,
  type ChallengerIdentity,
  judgeChallenger,
  newChallenger,
} from './judge-challenger.ts'
import type { ShadowMarket } from './run-shadow.ts'

/** A recording of a quarter runs in seconds; older days are hardly representative. */
const LONGEST_MS = 90 * DAY_MS

/**
 * Returns the result of a run at `now` after the one `before`. A challenger without one begins now; a suspended one stays so
 * until its code or its parameters change.
 */
export async function runChallenger(
  config: LoadedConfig,
  { use, params }: StrategyReference,
  before: ChallengerView | null,
  now: Ms,
): Promise<ChallengerView> {
  const where = { folder: strategiesFolder(), baseFolder: dirname(resolve(config.file)) }
  const fingerprint = strategyFingerprint({ use, params }, where)
  // A missing file has no fingerprint; loading it reports that.
  const identity = { use, params, fingerprint: fingerprint.ok ? fingerprint.value : fingerprint.error }
  const known = before?.fingerprint === identity.fingerprint ? before : newChallenger(identity, now)
  if (known.suspended !== null) return { ...known, at: now }
  const window = { from: Math.max(known.since ?? now, now - LONGEST_MS), to: now }
  const loading = { ...where, allow: config.allowedCode, owner: config.core.name }
  const answer = await runBoth(config, identity, loading, window).catch((error: unknown) => {
    if (error instanceof StrategyLost) return { refused: error.message }
    throw error
  })
  return judgeChallenger(known, answer, now)
}

async function runBoth(
  { core, venue, backtest: settings, record }: LoadedConfig,
  identity: ChallengerIdentity,
  where: LoadStrategyOptions,
  window: Required<TapeWindow>,
): Promise<ChallengerAnswer> {
  const champion = await load(core.strategy, where)
  if (!champion.ok) return { problem: `the champion cannot be loaded: ${champion.error}` }
  const opposing = await load(identity, where)
  if (!opposing.ok) return { refused: opposing.error }
  if (window.from >= window.to) return { isLoaded: true }
  const source = await recordedSource(join(record.path ?? '', core.name), window)
  if (!source.ok) return { problem: source.error }
  const { toleranceBps } = venue
  const learned = core.calibration?.learned ?? null
  const { seed, fairValue } = settings
  const { protocolFeeBps } = core.fees
  const calibration =
    learned ?? (await calibrateTape(source.value, { toleranceBps, seed, protocolFeeBps, fairValue }))
  const market: ShadowMarket = { core, source: source.value, calibration, settings, toleranceBps }
  const compared = await compareShadows(market, champion.value, opposing.value)
  if (!compared.ok) return { problem: compared.error }
  if (learned !== null) return compared.value
  const same =
    'no calibration is configured: takers were calibrated on the recording that both trade over; name one under calibration'
  const { suspension, compared: both } = compared.value
  return { suspension, compared: { ...both, warnings: [same, ...both.warnings] } }
}

/** A strategy that loops or fills memory ends only the process that evaluates it. */
async function load(
  { use, params }: StrategyReference,
  where: LoadStrategyOptions,
): Promise<Result<LoadedStrategy, string>> {
  const loaded = await loadStrategyApart({ use, params }, where)
  if (loaded.ok) return ok(loaded.value.strategy)
  return err(loaded.error.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}

async function recordedSource(folder: string, window: TapeWindow): Promise<Result<TapeSource, string>> {
  const opened = openTape(folder, { window, standing: true })
  if (!opened.ok) return opened
  for await (const batch of opened.value.batches() as AsyncIterable<TapeBatch>)
    if (batch.rows > 0) return opened
  return err('nothing is recorded of this time yet')
}
