import type { Command } from 'commander'
import { COMMAND_OPTIONS } from './command-options.ts'
import { numberOption } from './number-option.ts'
import { timeOption } from './time-option.ts'

/** What a recording says about takers and the mid. */
export function addCalibrateCommand(program: Command): void {
  program
    .command('calibrate')
    .description(
      'learn from a tape how takers answer to spreads, how much the mid moves, and what takers know',
    )
    .option('--tape <path>', 'a tape: folder, .jsonl or .parquet; default backtest.tape of --config')
    .option('--config <file>', 'take tolerance, fee, reference source and seed from this configuration')
    .option('--out <file>', 'write it for calibration: in the configuration; it is whole or not there')
    .option('--from <time>', 'begin here', timeOption)
    .option('--to <time>', 'end before this', timeOption)
    .option(
      '--tolerance-bps <n>',
      'within so many bps of the best the venue takes turns; default venue.toleranceBps, else 5',
      numberOption({ whole: true, min: 0, max: 500 }),
    )
    .option('--seed <n>', 'of everything drawn', numberOption({ whole: true, min: 0, max: 2_147_483_647 }))
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
A tape without competition rows is read as if nobody else quoted. Every figure has a 90 % interval, and what
the tape is too thin for is said in sentences. See docs/calibration.md.
Examples:
  $ npm run -s mizani -- calibrate --tape ./tape
  $ npm run -s mizani -- calibrate --config live.yaml --tape ./tape --out calibration.json
  $ npm run -s mizani -- calibrate --tape ./tape --from 2026-11-01 --json | jq .both.k`,
    )
    .action(async (options) => (await import('./calibrate.ts')).calibrate(options))
}
