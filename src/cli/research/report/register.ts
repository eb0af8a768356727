import type { Command } from 'commander'
import { COMMAND_OPTIONS } from '../../options.ts'

/** Registers reports that are made from stored results. */
export function registerReportCommands(program: Command): void {
  const report = program.command('report').description('reports of earlier results')
  report
    .command('compare')
    .description('compare two backtests over one market, with the paired differences of their days')
    .argument('<a>', 'a result of `mizani backtest --json`')
    .argument('<b>', 'the other result')
    .option('--out <file>', 'write the comparison as one HTML file')
    .option(...COMMAND_OPTIONS.json)
    .addHelpText(
      'after',
      `
Differences are B less A, day by day, with their standard error and a 90 % interval. Results over different windows or
tapes are refused with exit code 2. Results of versions that did not write days are shown without paired differences.
Example:
  $ npx mizani backtest --config live.yaml --json > a.json
  $ npx mizani backtest --config live.yaml --params '{"halfSpreadBps":45}' --json > b.json
  $ npx mizani report compare a.json b.json --out compare.html`,
    )
    .action(async (a, b, options) => (await import('./compare.ts')).compareReports(a, b, options))
}
