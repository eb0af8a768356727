import type { RecordedFill } from '../../backtest/recorder.ts'
import { ok, type Result } from '../../../base/result.ts'
import { backtestDefaults, runBacktestJob } from '../backtest/backtest-job.ts'
import { type FillScore, quoteAgreement, type QuotePoint, scoreFills } from './agreement.ts'
import type { Journal } from './read-journal.ts'

export type Parity = {
  readonly fills: FillScore
  readonly quotes: {
    readonly real: number
    readonly simulated: number
    readonly sameShare: number | null
    readonly meanAbsBps: number | null
  }
}

/** Runs the journal as a backtest with recorded fills and returns how fills and quotes agree with the real ones. */
export async function measureParity({ config, tape }: Journal): Promise<Result<Parity, string>> {
  const fills: RecordedFill[] = []
  const points: QuotePoint[] = []
  let endsAt = 0
  const done = await runBacktestJob({
    ...backtestDefaults(config),
    source: tape.source(),
    fills: 'recorded',
    listener: {
      fill: (fill) => void fills.push(fill),
      quote: (t, bidBps, askBps) => void points.push({ t, bidBps, askBps }),
      end: (t) => {
        endsAt = t
      },
    },
  })
  if (!done.ok) return done
  const beganAt = Date.parse(done.value.result.from)
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
      simulated: done.value.result.quoteUpdates,
      ...quoteAgreement(real, points, beganAt, endsAt),
    },
  })
}
