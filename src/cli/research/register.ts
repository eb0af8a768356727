import { Option } from 'commander'
import { FILL_MODELS } from '../../core/models/fill-models.ts'
import { type CommandLine, numberOption } from '../options.ts'

const WHOLE = { whole: true, min: 0, max: 2_147_483_647 } as const

/** Registers the research commands: backtests, comparisons with a journal, calibration, sweeps. */
export function registerResearchCommands(program: CommandLine): void {
  addBacktest(program)
  program
    .command('parity')
    .description("replay a store's journal and verify that backtest and daemon take the same decisions")
    .requiredOption('--store <folder>', 'the store of a position')
    .option('--config <file>', 'the configuration file that strategy paths are relative to')
    .shared('json')
    .more(`
First it compares every decision to send a request with the journal; a difference is exit code 1. Then it runs the journal as
a backtest with the fill model recorded, and compares its fills with the real ones.
Works while the daemon runs and changes nothing.`)
    .action(async (options) => (await import('../apart/run-apart.ts')).runApart('parity', options))
  program
    .command('whatif')
    .description(
      'simulate another configuration on the market data of this position, next to the one that ran',
    )
    .requiredOption('--store <folder>', 'the store of a position')
    .requiredOption('--config <file>', 'the configuration to try, before it is reloaded')
    .shared('changes')
    .addOption(fillsOption())
    .shared('from', 'to')
    .option('--seed <n>', 'seed of all random draws', numberOption(WHOLE))
    .option('--report <file>', 'write both, side by side, as one HTML file')
    .shared('json')
    .more(`
Runs the market data of the journal twice against the same takers, with the old and the new configuration, and shows both
results with their difference.
Example:
  $ npx mizani whatif --store data/desk-1 --config new.yaml`)
    .action(async (options) => (await import('../apart/run-apart.ts')).runApart('whatif', options))
  program
    .command('challenger')
    .description('simulate the challenger of the configuration next to the strategy that trades')
    .needs('config')
    .option('--notify', 'send to the channels of the configuration when the challenger is suspended')
    .shared('every', 'json')
    .more(`
Both strategies trade in the simulated venue over the recording of the position (record.path) since the first run of this
command with this challenger, at most the latest 90 days. It sends nothing to the venue and needs no key. It writes the result
to challenger.json in store.path, which console, status and metrics of the daemon show. Exit code 1 means that the challenger
is suspended, or that there is no recording yet.
Examples:
  $ npx mizani challenger --config live.yaml
  $ npx mizani challenger --config live.yaml --every 1h --notify`)
    .action(async (options) => (await import('../apart/run-apart.ts')).repeatApart('challenger', options))
}

function addBacktest(program: CommandLine): void {
  const command = program
    .command('backtest')
    .description('simulate a configuration over a tape and report its PnL with confidence intervals')
    .needs('config')
    .option('--tape <path>', 'a tape: folder, .jsonl, .parquet or .csv; default backtest.tape')
    .option('--strategy <name>', 'use this strategy instead of the configured one')
    .option('--params <json>', 'its parameters; without --strategy they override the configured ones')
    .shared('changes')
    .addOption(fillsOption())
    .option('--seed <n>', 'seed of all random draws', numberOption(WHOLE))
    .shared('from', 'to')
    .option(
      '--variants <n>',
      'number of variants you have tried so far, including this one',
      numberOption({ ...WHOLE, min: 1 }),
      1,
    )
    .option(
      '--replicates <n>',
      'thinned and simulated: repeat the run this many times with A and k drawn from their posterior',
      numberOption({ ...WHOLE, max: 10_000 }),
      0,
    )
  for (const option of refillOptions()) command.addOption(option)
  command
    .option('--like <file>', 'use the prices and routing in a profile of `mizani conformance --out`')
    .shared('allowSkipped')
    .option('--report <file>', 'write a report as one HTML file')
    .option('--trades <file>', 'write every fill with its edge and markouts; .csv or .parquet')
    .option('--decisions <file>', 'write every decision that differs from the one before; .csv or .parquet')
    .shared('json')
    .more(`
The core, its pacing and its risk rules are those of the daemon; no request is sent and no key is needed.
Fill models:
  recorded   recorded fills that our quote would have won with certainty, at our price (the default)
  thinned    recorded fills, thinned at random where our quote is wider, synthetic fills added where it is tighter
  routed     recorded fills through the venue's router, against the recorded competition
  simulated  takers drawn from a calibration
Any refill option adds a second run in which a treasury refills the pool, and reports the difference.
Examples:
  $ npx mizani backtest --config config/backtest.yaml
  $ npx mizani backtest --config config/backtest.yaml --refill-delay 6 --refill-cost 20 --refill-failure 0.05
  $ npx mizani backtest --config live.yaml --tape ./tape --params '{"halfSpreadBps":45}' --report out.html
  $ npx mizani backtest --config config/backtest.yaml --trades trades.csv --decisions decisions.parquet`)
    .action(async (options) => (await import('../apart/run-apart.ts')).runApart('backtest', options))
}

/** Each of these options adds the second run with a treasury. */
function refillOptions(): readonly Option[] {
  return [
    new Option(
      '--refill-delay <hours>',
      'simulate refills by a treasury that arrive this many hours after the order; default 4',
    ).argParser(numberOption({ min: 0, max: 1_000 })),
    new Option('--refill-cost <bps>', 'cost of a refill in bps of its value; default 10').argParser(
      numberOption({ ...WHOLE, max: 10_000 }),
    ),
    new Option('--refill-failure <share>', 'share of refills that fail and start again; default 0').argParser(
      numberOption({ min: 0, max: 0.99 }),
    ),
    new Option(
      '--refill-below <share>',
      'refill a token to its opening balance once it is below this share of it; default 0.2',
    ).argParser(numberOption({ min: 0, max: 1 })),
  ]
}

function fillsOption(): Option {
  return new Option('--fills <model>', 'the fill model; default backtest.fills').choices(FILL_MODELS)
}

/** Registers the models behind the quotes, one command each. */
export function registerModel(program: CommandLine): void {
  program
    .command('model')
    .description('compute one model of market making from its parameters: spreads, losses, statistics')
    .argument('[words...]', 'the name of a model and its options')
    .allowUnknownOption()
    .helpOption(false)
    .more(`
\`mizani model\` alone lists the models, and \`mizani model <name> --help\` every parameter with its unit and an example.
Parameters are JSON, @FILE, or - for standard input; YAML is read as well. --json prints the named figures unrounded.
docs/models.md has all models. The command reads only the parameters and sends nothing.
Examples:
  $ npx mizani model
  $ npx mizani model glft-size --help
  $ npx mizani model deflated-sharpe --json \\
      --params '{"sharpe":2.5,"periodsPerYear":250,"n":1250,"skew":-3,"kurtosis":10,"trialVariance":0.5,"trials":100}'`)
    .action(async (words: readonly string[]) =>
      (await import('./model/model-program.ts')).runModel(words, words.includes('--json')),
    )
}

/** Registers the calibration of takers and mid from a tape. */
export function registerCalibrate(program: CommandLine): void {
  program
    .command('calibrate')
    .description('estimate fill intensity, volatility and adverse selection from a tape')
    .option('--tape <path>', 'a tape: folder, .jsonl, .parquet or .csv; default backtest.tape of --config')
    .option('--config <file>', 'take tolerance, fee, reference source and seed from this configuration')
    .option('--out <file>', 'write the file that calibration: in the configuration names, atomically')
    .option('--report <file>', 'write fills against half-spread, markouts and estimates as one HTML file')
    .addOption(
      new Option('--judge [weeks]', 'replay the last weeks with and without a new estimate')
        .argParser(numberOption({ ...WHOLE, min: 1, max: 8 }))
        .preset('4')
        .conflicts(['out', 'report', 'from', 'toleranceBps', 'seed', 'allowSkipped']),
    )
    .addOption(
      new Option('--adopt', 'judge, and replace the configured file if the new estimate is better').implies({
        judge: 4,
      }),
    )
    .shared('every', 'from', 'to')
    .option(
      '--tolerance-bps <n>',
      'the venue routes round-robin among quotes within this many bps of the best; default venue.toleranceBps, else 5',
      numberOption({ whole: true, min: 0, max: 500 }),
    )
    .option('--seed <n>', 'seed of all random draws', numberOption(WHOLE))
    .shared('allowSkipped', 'json')
    .more(`
A tape without competition rows counts as a market without other providers. Every estimate has a 90 % interval, and a warning
names each estimate with too little data. See docs/calibration.md.
--judge needs --config. It estimates from the twelve weeks before the replay, which neither calibration has seen. The tape is that
of record.path, else backtest.tape. It writes the candidate next to the configured file (FILE.candidate) and the verdict to
recalibration.json in store.path. A better candidate replaces that file only with --adopt, which a running daemon reloads. Exit
code 1 means that nothing could be replayed.
Examples:
  $ npx mizani calibrate --tape ./tape
  $ npx mizani calibrate --config live.yaml --tape ./tape --out calibration.json
  $ npx mizani calibrate --tape ./tape --from 2026-11-01 --json | jq .both.k
  $ npx mizani calibrate --config live.yaml --judge --adopt --every 7d`)
    .action(async (options) => {
      if (options.judge !== undefined)
        return (await import('../apart/run-apart.ts')).repeatApart('judge', options)
      const { calibrate } = await import('./calibrate.ts')
      await (await import('../repeat.ts')).repeatUntilSignal(options.every, () => calibrate(options))
    })
}

/** How good the feeds of a daemon or a tape are. */
export function registerFeeds(program: CommandLine): void {
  program
    .command('feeds')
    .description('show offset, error and delay of each feed, as later updates of the mid showed them')
    .shared('config')
    .option('--tape <path>', 'judge the references of a tape: folder, .jsonl, .parquet or .csv')
    .shared('from', 'to', 'json')
    .more(`
Asks the daemon of the configuration or, without one, its store; with --tape the configuration only gives the parameters of
fairValue. Each figure has a 90 % interval. See docs/feeds.md.
Examples:
  $ npx mizani feeds --config live.yaml
  $ npx mizani feeds --tape ./tape --from 2026-11-01 --json | jq '.feeds[] | [.name, .judgement.offsetBps.value]'`)
    .action(async (options) => (await import('./feeds.ts')).feeds(options))
}

/** Registers reports that are made from stored results. */
export function registerReportCommands(program: CommandLine): void {
  const report = program.command('report').description('reports of earlier results')
  report
    .command('compare')
    .description('compare two backtests over one market, with the paired differences of their days')
    .argument('<a>', 'a result of `mizani backtest --json`')
    .argument('<b>', 'the other result')
    .option('--out <file>', 'write the comparison as one HTML file')
    .shared('json')
    .more(`
Differences are B less A, day by day, with their standard error and a 90 % interval. Results over different windows or
tapes are refused with exit code 2. Results of versions that did not write days are shown without paired differences.
Example:
  $ npx mizani backtest --config live.yaml --json > a.json
  $ npx mizani backtest --config live.yaml --params '{"halfSpreadBps":45}' --json > b.json
  $ npx mizani report compare a.json b.json --out compare.html`)
    .action(async (a, b, options) => (await import('./report/compare.ts')).compareReports(a, b, options))
}
