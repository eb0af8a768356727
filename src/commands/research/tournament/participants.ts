import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { loadStrategy, type LoadStrategyOptions } from '../../../config/strategy/load-strategy.ts'
import { createCalendar } from '../../../runtime/position/calendar.ts'
import { strategiesFolder } from '../../../runtime/position/strategy-registry.ts'
import type { StrategyWatch } from '../../../runtime/review/watch-strategy.ts'
import type { LoadedStrategy } from '../../../strategy/define-strategy.ts'
import { CoreParticipant } from '../../../tournament/core/core-participant.ts'
import type { Variant } from '../../../tournament/entrant.ts'
import type { ParticipantMaker } from '../../../tournament/job.ts'
import { type Finding, pathText } from '../../../config/source/problem.ts'

/** Where strategies are found; paths are relative to the folder of `configFile`. */
export function strategyPlaces(configFile: string): LoadStrategyOptions {
  return { folder: strategiesFolder(), baseFolder: dirname(resolve(configFile)) }
}

export function problemsText(problems: readonly Finding[]): string {
  return problems.map(({ path, message }) => `${pathText(path)}: ${message}`).join('; ')
}

/** Loads a variant's strategy and validates its parameters. */
export async function loadVariant(
  { use, params }: Pick<Variant, 'use' | 'params'>,
  configFile: string,
): Promise<Result<LoadedStrategy, string>> {
  const loaded = await loadStrategy({ use, params }, strategyPlaces(configFile))
  return loaded.ok ? ok(loaded.value.strategy) : err(problemsText(loaded.error))
}

/** Every variant plays in a core of its own, which is the daemon's. */
export function createParticipantMaker(watch: StrategyWatch): ParticipantMaker {
  const calendar = createCalendar()
  return async (variant, configFile) => {
    const loaded = await watch.loading(() => loadVariant(variant, configFile))
    if (!loaded.ok) return loaded
    const { feedTauBps, calibration } = variant
    const strategy = watch.watched(loaded.value)
    return ok(new CoreParticipant(strategy, feedTauBps, calendar, calibration).decide)
  }
}
