import { backtestSection } from '../config/backtest-section.ts'
import type { BacktestJob } from './backtest-job.ts'
import type { StandIn } from './stocked-shelf.ts'

/** Within so many bps of the best the venue takes turns; a journal does not know the setting. */
const TOLERANCE_BPS = 5

/** A backtest of what a journal ran with, with the defaults of the configuration for the rest. */
export function backtestDefaults({
  core,
  strategy,
}: StandIn): Omit<BacktestJob, 'source' | 'fills' | 'listener'> {
  const settings = backtestSection.parse({})
  return {
    core,
    strategy,
    settings,
    toleranceBps: TOLERANCE_BPS,
    seed: settings.seed,
    draws: false,
    variantsTried: 1,
  }
}
