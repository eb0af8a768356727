import { entryOf, isListed } from '../../catalogue/catalogue.ts'
import type { Observation } from '../../engine/model/observation.ts'
import type { NoticeRow } from './api-types.ts'

/** An observation as a line of the event log; null = it is not listed there. */
export function noticeOf(observation: Observation): Pick<NoticeRow, 'severity' | 'text'> | null {
  const entry = entryOf(observation)
  if (entry === null || !isListed(observation)) return null
  const severity = entry.severity(observation)
  return { severity: severity === 'debug' ? 'info' : severity, text: entry.sentence(observation) }
}
