import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import { loadStrategy } from '../../../config/strategy/load-strategy.ts'
import { createCalendar } from '../../../runtime/position/calendar.ts'
import { strategiesFolder } from '../../../runtime/position/strategy-registry.ts'
import type { LoadedStrategy } from '../../../strategy/define-strategy.ts'
import { CoreParticipant } from '../../../tournament/core/core-participant.ts'
import type { Variant } from '../../../tournament/entrant.ts'
import type { ParticipantMaker } from '../../../tournament/job.ts'
import { pathText } from '../../../config/source/problem.ts'

/** Loads a variant's strategy and validates its parameters; paths are relative to the folder of `configFile`. */
export async function loadVariant(
  { use, params }: Pick<Variant, 'use' | 'params'>,
  configFile: string,
): Promise<Result<LoadedStrategy, string>> {
  const where = { folder: strategiesFolder(), baseFolder: dirname(resolve(configFile)) }
  const loaded = await loadStrategy({ use, params }, where)
  if (loaded.ok) return ok(loaded.value.strategy)
  return err(loaded.error.map(({ path, message }) => `${pathText(path)}: ${message}`).join('; '))
}

/** Every variant plays in a core of its own, which is the daemon's. */
export function createParticipantMaker(): ParticipantMaker {
  const calendar = createCalendar()
  return async (variant, configFile) => {
    const strategy = await loadVariant(variant, configFile)
    if (!strategy.ok) return strategy
    return ok(new CoreParticipant(strategy.value, variant.feedTauBps !== null, calendar).decide)
  }
}
