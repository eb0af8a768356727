import type { Spread } from '../engine/model/effect.ts'
import { formatRate } from '../money/rate.ts'
import type { Log } from './log/log.ts'
import type { Handlers } from './handlers.ts'
import type { Metrics } from './metrics/metrics.ts'
import { REQUOTE_REASONS, wordOf } from './metrics/metric-labels.ts'

/** The mid, and what we quote around it. */
export function marketHandlers(
  log: Log,
  metrics: Metrics,
): Handlers<'midChanged' | 'midRefused' | 'quoteConfirmed' | 'beliefChanged' | 'requote' | 'clamped'> {
  return {
    midChanged({ mid, rateUpdatedAt, source }) {
      const line = { event: 'midChanged', mid: formatRate(mid), rateUpdatedAt, source }
      log.info(line, `mid ${line.mid}`)
    },
    midRefused({ reason }) {
      log.warn({ event: 'midRefused', reason }, `a mid was not taken: ${reason}`)
    },
    quoteConfirmed({ spread, by }) {
      log.info({ event: 'quoteConfirmed', by, ...spread }, `the venue quotes ${words(spread)}`)
    },
    beliefChanged({ belief, why }) {
      const line = { event: 'beliefChanged', belief, why }
      if (belief === 'known') log.info(line, 'what the venue quotes is known')
      else log.warn(line, `what the venue quotes is ${belief}: ${why}`)
    },
    requote({ reason, spread, because }) {
      metrics.requotes.inc({ reason: wordOf(REQUOTE_REASONS, reason) })
      log.info({ event: 'requote', reason, ...spread, because }, `requote (${reason}) to ${words(spread)}`)
    },
    clamped({ side, wanted, sent }) {
      metrics.riskRefusals.inc({ rule: 'out-of-range' })
      log.warn({ event: 'clamped', side, wanted, sent }, `${side} of ${wanted} bps clamped to ${sent}`)
    },
  }
}

function words({ bidBps, askBps, quoteBid, quoteAsk }: Spread): string {
  return `bid ${quoteBid ? bidBps : 'off'} ask ${quoteAsk ? askBps : 'off'}`
}
