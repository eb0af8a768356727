import { parentPort, workerData } from 'node:worker_threads'
import { err, errorText, invariant, ok, type Result } from '../../base/result.ts'
import { calibrate } from '../../calibration/calibrate.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import {
  loadStrategyApart,
  type LoadStrategyOptions,
  type StrategyReference,
} from '../../config/strategy/load-strategy.ts'
import type { CoreConfig } from '../../engine/model/config.ts'
import type { LoadedStrategy } from '../../strategy/define-strategy.ts'
import { type ComparedShadows, compareShadows } from './compare-shadows.ts'
import { type RecordedPosition, recordedTape, type RecordedWindow } from './recorded-tape.ts'
import type { ShadowMarket } from './run-shadow.ts'
import { StrategyLost } from '../../strategy/ask-strategy.ts'

// The thread in which a challenger trades: what it throws is an answer, and what loops ends with the process that evaluates it.

/** Plain data for the thread. */
export type ChallengerJob = {
  readonly challenger: StrategyReference
  readonly where: LoadStrategyOptions
  readonly core: CoreConfig
  readonly settings: LoadedConfig['backtest']
  readonly toleranceBps: number
  readonly recorded: RecordedPosition
  readonly window: RecordedWindow
}

/**
 * `refused`: why the challenger could not be loaded. `problem`: what is missing besides. `isLoaded`: it begins now, so that
 * there is nothing to trade over yet.
 */
export type ChallengerAnswer =
  | ComparedShadows
  | { readonly refused: string }
  | { readonly problem: string }
  | { readonly isLoaded: true }

async function answer(job: ChallengerJob): Promise<ChallengerAnswer> {
  const { core, settings, toleranceBps } = job
  const champion = await load(core.strategy, job.where)
  if (!champion.ok) return { problem: `the champion cannot be loaded: ${champion.error}` }
  const challenger = await load(job.challenger, job.where)
  if (!challenger.ok) return { refused: challenger.error }
  if (job.window.from >= job.window.to) return { isLoaded: true }
  const source = await recordedTape(job.recorded, job.window)
  if (!source.ok) return { problem: source.error }
  const learned = core.calibration?.learned ?? null
  const calibration =
    learned ??
    (await calibrate(source.value, {
      toleranceBps,
      seed: settings.seed,
      protocolFeeBps: core.fees.protocolFeeBps,
      fairValue: settings.fairValue,
    }))
  const market: ShadowMarket = { core, source: source.value, calibration, settings, toleranceBps }
  const compared = await compareShadows(market, champion.value, challenger.value)
  if (!compared.ok) return { problem: compared.error }
  if (learned !== null) return compared.value
  const { warnings } = compared.value.compared
  const same =
    'no calibration is configured: takers were calibrated on the recording that both trade over; name one under calibration'
  return { ...compared.value, compared: { ...compared.value.compared, warnings: [same, ...warnings] } }
}

async function load(
  { use, params }: StrategyReference,
  where: LoadStrategyOptions,
): Promise<Result<LoadedStrategy, string>> {
  const loaded = await loadStrategyApart({ use, params }, where)
  if (loaded.ok) return ok(loaded.value.strategy)
  return err(loaded.error.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}

const port = parentPort
invariant(port !== null, 'a challenger trades in a thread of its own')
port.postMessage(
  await answer(workerData as ChallengerJob).then(ok, (error: unknown) =>
    error instanceof StrategyLost ? ok({ refused: error.message }) : ok({ problem: errorText(error) }),
  ),
)
