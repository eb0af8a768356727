import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { loadStrategyHere, type LoadStrategyOptions } from '../../../daemon/config/strategy/load-strategy.ts'
import { createCalendar } from '../../../daemon/runtime/position/calendar.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import type { StrategyWatch } from '../apart/watch-strategy.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import { CoreParticipant } from '../../tournament/core/core-participant.ts'
import type { EntrantVariant } from '../../tournament/entrant.ts'
import { hiding } from '../../tournament/core/hide-inputs.ts'
import { comparedWith } from '../../tournament/core/compare-policy.ts'
import type { ParticipantMaker, Player } from '../../tournament/job.ts'
import { type Finding, pathText } from '../../../daemon/config/source/problem.ts'

/** Returns where strategies are searched; paths are relative to the folder of `configFile`. */
export function strategyPlaces(configFile: string): LoadStrategyOptions {
  return { folder: strategiesFolder(), baseFolder: dirname(resolve(configFile)) }
}

export function problemsText(problems: readonly Finding[]): string {
  return problems.map(({ path, message }) => `${pathText(path)}: ${message}`).join('; ')
}

/** Loads a variant's strategy and validates its parameters. */
export async function loadVariant(
  { use, params }: Parameters<typeof loadStrategyHere>[0],
  configFile: string,
): Promise<Result<LoadedStrategy, string>> {
  const loaded = await loadStrategyHere({ use, params }, strategyPlaces(configFile))
  return loaded.ok ? ok(loaded.value.strategy) : err(problemsText(loaded.error))
}

/** Loads a variant with the stated parameters that its strategy has and that it does not set itself. */
async function loadStated(
  variant: Pick<EntrantVariant, 'use' | 'params'>,
  stated: Readonly<Record<string, unknown>>,
  configFile: string,
): Promise<Result<LoadedStrategy, string>> {
  const loaded = await loadVariant(variant, configFile)
  if (!loaded.ok || Object.keys(stated).length === 0) return loaded
  const own = Object(loaded.value.params) as object
  const known = Object.entries(stated).filter(([name]) => name in own)
  return loadVariant({ ...variant, params: { ...Object.fromEntries(known), ...variant.params } }, configFile)
}

/** Other code would be stored under the key of the code that was planned. */
const CHANGED = 'its file changed meanwhile; run the command again, which plays the file as it is then'

/** Gives every variant its own core, identical to the daemon's. */
export function createParticipantMaker(watch: StrategyWatch): ParticipantMaker {
  const calendar = createCalendar()
  return async ({ variant, compares = false, sourceHash }, configFile, { terms, stated }) => {
    const { params: statedParams, rivalsLateHours: _late, ...statement } = stated
    const load = async (one: Pick<EntrantVariant, 'use' | 'params'>) => {
      const loaded = await watch.loading(() => loadStated(one, statedParams, configFile))
      return loaded.ok && loaded.value.sourceHash !== sourceHash ? err(CHANGED) : loaded
    }
    const loaded = await load(variant)
    if (!loaded.ok) return loaded
    const { use, feedTauBps, calibration, exact, hidden = [] } = variant
    const playerOf = (strategy: LoadedStrategy, policy: Player['policy']): Player => {
      const core = new CoreParticipant(
        watch.watched(hiding(strategy, hidden)),
        feedTauBps,
        calendar,
        calibration,
        { ...statement, toleranceBps: statement.toleranceBps ?? terms.toleranceBps },
      )
      return { decide: core.decide, policy }
    }
    if (!compares || exact === undefined) return ok(playerOf(loaded.value, null))
    const other = await load({ use, params: exact })
    if (!other.ok) return other
    const { strategy, difference } = comparedWith(loaded.value, other.value)
    return ok(playerOf(strategy, difference))
  }
}
