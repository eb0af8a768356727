import type { Ms } from '../base/time.ts'
import { entryOf } from '../catalogue/catalogue.ts'
import type { Observation } from '../engine/model/observation.ts'
import { liftedNotice, type Notice } from './notice.ts'

/**
 * Maps each observation of one position to the notice that a person may want, if any, as the catalogue has it.
 * What the core reports twice in one transition (an alert and the rule behind it) becomes one notice.
 */
export function createNoticeMapper(): (observation: Observation) => Notice | null {
  const raisedAt = new Map<string, Ms>()

  return (observation) => {
    const entry = entryOf(observation)
    const call = entry?.call?.(observation) ?? null
    if (entry === null || call === null || !('t' in observation)) return null
    const { t } = observation
    const { code, kind, text = entry.sentence(observation) } = call
    if (kind === 'lifted') return liftedNotice(t, code, text)
    // Every command stands for itself: none is folded into another of the same transition.
    if (raisedAt.get(code) === t && observation.type !== 'operator') return null
    raisedAt.set(code, t)
    const severity = entry.severity(observation)
    return { t, kind, severity: severity === 'debug' ? 'info' : severity, code, text, since: null }
  }
}
