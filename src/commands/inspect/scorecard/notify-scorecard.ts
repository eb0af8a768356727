import { randomUUID } from 'node:crypto'
import { SEVERITY_RANK } from '../../../alerts/entry.ts'
import { adviceFor, POSITION_NOTICES } from '../../../alerts/position-notices.ts'
import type { Scorecard } from '../../../calibration/scorecard.ts'
import type { LoadedConfig, LoadedNotify } from '../../../config/load/loaded-config.ts'
import type { Message } from '../../../notify/message/message.ts'
import { sendOnce, type SentOnce } from '../../operator/send-once.ts'
import { scorecardSummary } from '../../../view/scorecard-text.ts'

/**
 * Sends the result: an alarm to the channels whose `minSeverity` lets a warning pass, and that nothing is outside to those
 * that take summaries.
 */
export async function notifyScorecard(
  config: LoadedConfig,
  notify: LoadedNotify,
  card: Scorecard,
): Promise<readonly SentOnce[]> {
  const message = messageOf(config, notify, card)
  return sendOnce(notify, message, ({ minSeverity, summary }) =>
    message.kind === 'summary' ? summary : SEVERITY_RANK[message.severity] >= SEVERITY_RANK[minSeverity],
  )
}

function messageOf({ core }: LoadedConfig, { runbookUrl }: LoadedNotify, card: Scorecard): Message {
  const isAlarm = card.outside.length > 0
  const heard = { t: Date.now(), text: scorecardSummary(card) }
  return {
    id: randomUUID(),
    position: core.name,
    mode: core.mode,
    kind: isAlarm ? 'raised' : 'summary',
    severity: isAlarm ? POSITION_NOTICES.scorecard.severity : 'info',
    code: 'scorecard',
    count: 1,
    first: heard,
    last: heard,
    since: null,
    advice: isAlarm ? adviceFor('scorecard') : null,
    runbook: isAlarm ? `${runbookUrl}#scorecard` : null,
    console: null,
  }
}
