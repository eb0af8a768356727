import { encodeJson } from '../../../src/base/codec.ts'
import { violated, type Invariant } from '../step.ts'
import type { WorldOptions } from '../world-options.ts'

/**
 * Where nothing happens that an honest book could not explain (no theft, no unannounced deposit, no row that
 * is missing or late, no one in the dashboard), no gap is ever called: races between fills and balances,
 * crashes, lost answers and wrong fee models are all explained in the end.
 */
export function noFalseAlarm({ venue, people, mischief }: WorldOptions): Invariant {
  const { missing = 0, late = 0 } = venue.faults?.fills ?? {}
  const { leakBps = 0, debitedFeeBps = null } = venue.faults ?? {}
  const { partialDeactivation = 0 } = venue.faults ?? {}
  const isExplicable =
    missing === 0 &&
    late === 0 &&
    leakBps === 0 &&
    debitedFeeBps === null &&
    // What a partial deactivation returned is out of sight; where its answer was lost, no one can know.
    partialDeactivation === 0 &&
    mischief.shortfallsPerDay === 0 &&
    venue.paysSlippageFloor !== true &&
    people.dashboardPerDay === 0 &&
    mischief.depositsPerDay === 0 &&
    mischief.theftsPerDay === 0
  return {
    check({ audit }) {
      if (!isExplicable) return
      for (const observation of audit.observations) {
        if (observation.type === 'reconciliationChanged' && observation.state === 'break')
          violated(`a false gap: ${observation.why} ${encodeJson(observation.unreconciled)}`)
        if (observation.type === 'alert' && observation.code === 'foreign-hand')
          violated(`a foreign hand where none exists: ${observation.message}`)
      }
    },
  }
}
