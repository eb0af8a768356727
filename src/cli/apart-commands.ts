import type { StrategyWatch } from '../research/jobs/apart/watch-strategy.ts'

/** The commands that run a strategy's code over a tape or a journal, and the one that calls it once. Each loads its own modules only. */
const COMMANDS = {
  backtest: async () => (await import('./research/backtest/backtest.ts')).backtest,
  challenger: async () => (await import('./research/challenger/challenger.ts')).challenger,
  judge: async () => (await import('./research/calibrate.ts')).judgeNext,
  explain: async () => (await import('./inspect/explain/explain.ts')).explain,
  parity: async () => (await import('./research/parity/parity.ts')).parity,
  replay: async () => (await import('./inspect/replay.ts')).replay,
  scorecard: async () => (await import('./inspect/scorecard/scorecard.ts')).scorecard,
  whatif: async () => (await import('./research/whatif.ts')).whatif,
}
export type ApartCommand = keyof typeof COMMANDS
export type ApartOptions = {
  readonly [Name in ApartCommand]: Parameters<Awaited<ReturnType<(typeof COMMANDS)[Name]>>>[0]
}

/** Runs a command in this thread; it sets `process.exitCode`. */
export async function runCommand<Name extends ApartCommand>(
  command: Name,
  options: ApartOptions[Name],
  watch: StrategyWatch,
): Promise<void> {
  const run = await COMMANDS[command]()
  await (run as (options: ApartOptions[Name], watch: StrategyWatch) => Promise<void>)(options, watch)
}
