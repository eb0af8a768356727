import { SEVERITY_RANK } from '../../../alerts/entry.ts'
import { POSITION_NOTICES } from '../../../alerts/position-notices.ts'
import type { Scorecard } from '../../../calibration/scorecard.ts'
import type { LoadedConfig, LoadedNotify } from '../../../config/load/loaded-config.ts'
import { composeMessage } from '../../../notify/message/compose-message.ts'
import type { Message } from '../../../notify/message/message.ts'
import { placeOf, sendOnce, type SentOnce } from '../../operator/send-once.ts'
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

function messageOf(config: LoadedConfig, notify: LoadedNotify, card: Scorecard): Message {
  const isAlarm = card.outside.length > 0
  const heard = { t: Date.now(), text: scorecardSummary(card) }
  const kind = isAlarm ? 'raised' : 'summary'
  const severity = isAlarm ? POSITION_NOTICES.scorecard.severity : 'info'
  const subject = { code: 'scorecard', count: 1, first: heard, last: heard, since: null }
  return composeMessage(placeOf(config, notify), { ...subject, kind, severity })
}
