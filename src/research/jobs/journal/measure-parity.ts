import type { RecordedFill } from '../../backtest/recorder.ts'
import { ok, type Result } from '../../../base/result.ts'
import { backtestDefaults } from '../backtest/backtest-job.ts'
import {
  type FillScore,
  type QuoteAgreement,
  quoteAgreement,
  type QuotePoint,
  scoreFills,
} from './agreement.ts'
import { runQuoted } from './what-if.ts'
import type { Journal } from './read-journal.ts'

export type Parity = {
  readonly fills: FillScore
  readonly quotes: QuoteAgreement & { readonly real: number; readonly simulated: number }
}

/** Runs the journal as a backtest with recorded fills and returns how its fills and quotes agree with the real ones. */
export async function measureParity({ config, tape }: Journal): Promise<Result<Parity, string>> {
  const fills: RecordedFill[] = []
  const ran = await runQuoted({
    ...backtestDefaults(config),
    source: tape.source(),
    fills: 'recorded',
    listener: { fill: (fill) => void fills.push(fill) },
  })
  if (!ran.ok) return ran
  const { done, quotes, endsAt } = ran.value
  const beganAt = Date.parse(done.result.from)
  const real = tape.quotes().map(({ t, bidBps, askBps, quoteBid, quoteAsk }): QuotePoint => ({
    t,
    bidBps: quoteBid ? bidBps : null,
    askBps: quoteAsk ? askBps : null,
  }))
  const realFills = tape.fills().filter(({ t }) => t >= beganAt && t <= endsAt)
  return ok({
    fills: scoreFills(realFills, fills, config.core.fees.protocolFeeBps),
    quotes: {
      real: real.length,
      simulated: done.result.quoteUpdates,
      ...quoteAgreement(real, quotes, beganAt, endsAt),
    },
  })
}
