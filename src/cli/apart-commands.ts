import type { ExplainOptions } from './inspect/explain/explain.ts'
import type { ReplayOptions } from './inspect/replay.ts'
import type { ScorecardOptions } from './inspect/scorecard/scorecard.ts'
import type { BacktestOptions } from './research/backtest/backtest.ts'
import type { JudgeOptions } from './research/calibrate.ts'
import type { ChallengerOptions } from './research/challenger/challenger.ts'
import type { ParityOptions } from './research/parity/parity.ts'
import type { WhatifOptions } from './research/whatif.ts'
import type { StrategyWatch } from '../research/jobs/apart/watch-strategy.ts'

/** Options of the commands that run a strategy's code over a tape or a journal, and of the one that calls it once. */
export type ApartOptions = {
  readonly backtest: BacktestOptions
  readonly challenger: ChallengerOptions
  readonly explain: ExplainOptions
  readonly judge: JudgeOptions
  readonly parity: ParityOptions
  readonly replay: ReplayOptions
  readonly scorecard: ScorecardOptions
  readonly whatif: WhatifOptions
}
export type ApartCommand = keyof ApartOptions

type ApartCommands = {
  readonly [Name in ApartCommand]: (options: ApartOptions[Name], watch: StrategyWatch) => Promise<void>
}

/** Each loads its own modules only. */
const COMMANDS: ApartCommands = {
  backtest: async (options, watch) =>
    (await import('./research/backtest/backtest.ts')).backtest(options, watch),
  challenger: async (options) => (await import('./research/challenger/challenger.ts')).challenger(options),
  judge: async (options, watch) => (await import('./research/calibrate.ts')).judgeNext(options, watch),
  explain: async (options) => (await import('./inspect/explain/explain.ts')).explain(options),
  parity: async (options, watch) => (await import('./research/parity/parity.ts')).parity(options, watch),
  replay: async (options, watch) => (await import('./inspect/replay.ts')).replay(options, watch),
  scorecard: async (options, watch) =>
    (await import('./inspect/scorecard/scorecard.ts')).scorecard(options, watch),
  whatif: async (options, watch) => (await import('./research/whatif.ts')).whatif(options, watch),
}

/** Runs a command in this thread; it sets `process.exitCode`. */
export function runCommand<Name extends ApartCommand>(
  command: Name,
  options: ApartOptions[Name],
  watch: StrategyWatch,
): Promise<void> {
  return COMMANDS[command](options, watch)
}
