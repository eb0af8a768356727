import { randomUUID } from 'node:crypto'
import { SEVERITY_RANK } from '../../../alerts/entry.ts'
import { adviceFor, POSITION_NOTICES } from '../../../alerts/position-notices.ts'
import type { LoadedConfig, LoadedNotify } from '../../../config/load/loaded-config.ts'
import { type Change, changeText } from '../../../conformance/changes.ts'
import { sendOnce, type SentOnce } from '../../operator/send-once.ts'

const CODE = 'conformance'

/** Sends what the venue does otherwise than before to the channels whose `minSeverity` lets a warning pass. */
export function notifyChanges(
  { core }: LoadedConfig,
  notify: LoadedNotify,
  changes: readonly Change[],
): Promise<readonly SentOnce[]> {
  const { severity } = POSITION_NOTICES[CODE]
  const heard = {
    t: Date.now(),
    text: `the venue does otherwise than before: ${changes.map(changeText).join('; ')}`,
  }
  const message = {
    id: randomUUID(),
    position: core.name,
    mode: core.mode,
    kind: 'raised',
    severity,
    code: CODE,
    count: changes.length,
    first: heard,
    last: heard,
    since: null,
    advice: adviceFor(CODE),
    runbook: `${notify.runbookUrl}#${CODE}`,
    console: null,
  } as const
  return sendOnce(notify, message, ({ minSeverity }) => SEVERITY_RANK[severity] >= SEVERITY_RANK[minSeverity])
}
