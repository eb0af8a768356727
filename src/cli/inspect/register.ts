import { InvalidArgumentError, Option } from 'commander'
import { EXPORT_KINDS } from '../../store/export/kinds.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { isSpreadBps } from '../../base/money/bps.ts'
import { ANY_SEED, type CommandLine, durationOption, keys, numberOption, timeOption } from '../options.ts'

/** The read-only commands. */
export function registerInspectCommands(program: CommandLine): void {
  addState(program)
  addDecision(program)
  addRisk(program)
  addBehaviour(program)
  addRecords(program)
  addRunbook(program)
}

/** Commands that show what is true now. */
function addState(program: CommandLine): void {
  program
    .command('check')
    .description(
      'check configuration, key, clock, venue, rate, quote, formulas and the terms of the lease; one line each',
    )
    .needs('config')
    .shared('json')
    .more(
      '\nExit codes: 0 no check failed (warnings do not count), 1 a check failed, 2 the configuration is wrong,\n4 the venue does not answer or rejects the key. Changes nothing at the venue. It\nreads the venue eight times to judge the terms of the lease, at most a sixth of a minute of the key.',
    )
    .action(async (options) => (await import('./check/check.ts')).check(options))
  program
    .command('status')
    .description(
      'show the state of positions and its reasons, from the daemon or, without one, from the store',
    )
    .more(`
The PnL terms add up to the total. 'DAEMON NOT RUNNING, as of' means that the figures come from the store; the
next lines show what may be live and what the guard does. Several --config are a list; with --watch a digit opens one of them
and 0 returns to the list. Without a terminal, and with TERM=dumb, --watch prints a plain line every few seconds. NO_COLOR
disables colours.
Examples:
  $ npx mizani status --config a.yaml --config b.yaml --watch
  $ npx mizani status --config live.yaml --json | jq .tradingState
  $ npx mizani status --fleet config/fleet`)
    .daemonPlace({ fleet: true, several: true })
    .addOption(new Option('--watch', 'refresh every second until q or Ctrl-C').conflicts(['store', 'url']))
    .shared('json')
    .action(async (options) => (await import('./status/status.ts')).status(options))
  program
    .command('quote')
    .description("show the venue's current quotes for takers of this position, both sides")
    .needs('config')
    .shared('json')
    .action(async (options) => (await import('./quote.ts')).quote(options))
}

const AT = [
  '--at <file>',
  "a moment: the 'inputs' of `mizani explain --json`; default the last one in the store",
] as const

/** Commands that show why a quote is as it is. */
function addDecision(program: CommandLine): void {
  program
    .command('explain')
    .description('show the quote of a moment term by term, with the rules and clamps that bound it')
    .needs('config')
    .option(...AT)
    .shared('json')
    .more(`
A separate thread evaluates the strategy of the configuration with the state in the store, or without a store in an example
market. Nothing is written or sent.
Examples:
  $ npx mizani explain --config live.yaml
  $ npx mizani explain --config live.yaml --json | jq .inputs > moment.json
  $ npx mizani explain --config live.yaml --at moment.json`)
    .action(async (options) => (await import('./explain/explain.ts')).explain(options))
  program
    .command('curve')
    .description('show bid and ask over the inventory, with all other inputs of one moment')
    .needs('config')
    .option('--inventory <range>', 'FROM..TO: -1 is all shillings, 0 on target, 1 all dollars', '-1..1')
    .option('--points <n>', 'number of points', numberOption({ whole: true, min: 2, max: 401 }), 21)
    .option(...AT)
    .option('--svg <file>', 'draw the curve into this file')
    .shared('json')
    .more(`
Examples:
  $ npx mizani curve --config live.yaml --inventory -1..1 --svg curve.svg
  $ npx mizani curve --config live.yaml --at moment.json --json | jq '.points[] | [.inventory, .bidBps, .askBps]'`)
    .action(async (options) => (await import('./explain/curve.ts')).curve(options))
}

/** Commands that compare the journal with what was expected. */
function addBehaviour(program: CommandLine): void {
  program
    .command('scorecard')
    .description("compare fills, edge, markouts and informed loss with the calibration's expectations")
    .needs('config')
    .option(
      '--from <time>',
      'start; default a week before the end, or the end of the calibration if later',
      timeOption,
    )
    .option('--to <time>', 'end, exclusive; default the end of the journal', timeOption)
    .option(
      '--notify',
      'also send the result to the channels of the configuration; with --every only changes of the alarm',
    )
    .shared('every', 'json')
    .more(`
Reads the journal of the store, also while the daemon runs, and changes nothing. The calibration is the file that the
configuration names. Each measure has a 90 % band that holds if nothing has changed. Exit code 1 means that a measure is
outside its band, or that there is nothing to compare.
With --every each result is written to scorecard.json in store.path, which console, status and metrics of the daemon show.
Examples:
  $ npx mizani scorecard --config live.yaml
  $ npx mizani scorecard --config live.yaml --from 2026-11-16 --to 2026-11-23 --json | jq .outside
  $ npx mizani scorecard --config live.yaml --notify      from a weekly timer
  $ npx mizani scorecard --config live.yaml --every 1h --notify`)
    .action(async (options) => (await import('../apart/run-apart.ts')).repeatApart('scorecard', options))
  program
    .command('conformance')
    .description("show the venue's actual behaviour according to the journal, with evidence and certainty")
    .needs('config')
    .option('--out <file>', 'write the profile, for --against and for `mizani sandbox --like`')
    .option('--against <file>', 'compare with an earlier profile')
    .option('--last <duration>', 'use only the end of the journal, for example 1d', durationOption)
    .option('--notify', 'with --against: send the changes to the channels of the configuration')
    .shared('every', 'json')
    .more(`
Reads the journal of the store, also while the daemon runs, and changes nothing: pricing formula, rounding and protocol fee
of fills, who pays the fee, the tolerance of the rotation, publication times of the mid, the dialect of the answers, fields
outside the contract, and limits that were reached. Exit code 1 means that something differs from the profile.
With --every a change is sent once.
Examples:
  $ npx mizani conformance --config live.yaml --out venue.json
  $ npx mizani conformance --config live.yaml --against venue.json --notify      from a daily timer
  $ npx mizani conformance --config live.yaml --against venue.json --notify --last 1d --every 1h`)
    .action(async (options) => (await import('./conformance/conformance.ts')).conformance(options))
}

/** Commands for those who check the position afterwards. */
function addRecords(program: CommandLine): void {
  program
    .command('replay')
    .description('replay the journal through the core and verify that the decisions are the same')
    .needs('config')
    .shared('json')
    .more(`
Works while the daemon runs and changes nothing. Exit code 1 means that the decisions differ from the stored digests: the
code has another version, the strategy was edited, or the journal is damaged.`)
    .action(async (options) => (await import('../apart/run-apart.ts')).runApart('replay', options))
  program
    .command('export')
    .description(
      'export fills, quotes, rates, ledger, orders or the treasury as rows; works while the daemon runs',
    )
    .addOption(new Option('--what <what>', 'the kind of rows').choices(EXPORT_KINDS).makeOptionMandatory())
    .addOption(new Option('--format <format>', 'the file format').choices(['jsonl', 'csv']).default('jsonl'))
    .needs('config')
    .option('--out <file>', 'write to a file instead of stdout, atomically')
    .option('--json', 'describe the file of --out, and errors, as one JSON document')
    .more(`
Amounts are exact decimals, times are UTC. The row of a fill has the venue's id.
Examples:
  $ npx mizani export --what fills --config live.yaml | head
  $ npx mizani export --what ledger --format csv --config live.yaml --out ledger.csv`)
    .action(async (options) => (await import('./export.ts')).exportBooks(options))
  program
    .command('controls')
    .description('list every control with its value, its test and its last drill')
    .needs('config')
    .shared('json')
    .more(`
The pre-trade and post-trade controls of RTS 6 and SEC rule 15c3-5, for a yearly self-assessment. A control that the
configuration does not set, or that mizani does not have, is listed as missing. Drills are read from drills.json in
store.path. Changes nothing and sends nothing.
Examples:
  $ npx mizani controls --config live.yaml
  $ npx mizani controls --config live.yaml --json | jq '.controls[] | select(.value == null) | .name'`)
    .action(async (options) => (await import('./controls/controls.ts')).controls(options))
}

function addRunbook(program: CommandLine): void {
  program
    .command('runbook [code]')
    .description("explain an alert's code: its meaning, where to look, what to do and when it ends")
    .option('--config <file>', 'accepted like by other commands; the runbook is the same for every position')
    .shared('json')
    .more('\nWithout a code the whole runbook is printed.\nExamples:\n  $ npx mizani runbook quote-stuck')
    .action(async (code, options) => {
      const { readRunbook, runbookCodes, runbookEntry } = await import('../../base/text/runbook.ts')
      const [page, { exitWhenPipeCloses, fail, print }] = [readRunbook(), await import('../output/print.ts')]
      exitWhenPipeCloses()
      const text = code === undefined ? page : runbookEntry(page, code)
      if (text !== null) return print(options, text, { code: code ?? null, text, exitCode: EXIT_CODE.ok })
      const { nearestName } = await import('../../daemon/config/source/nearest-name.ts')
      const nearest = nearestName(code, runbookCodes(page))
      const hint = nearest === null ? '' : `; did you mean ${nearest}?`
      const message = `the runbook has no entry ${code}${hint}; \`mizani runbook\` prints all entries`
      fail(options, EXIT_CODE.usage, message)
    })
}

function addRisk(program: CommandLine): void {
  program
    .command('risk')
    .description('measure value at risk, expected shortfall and stress losses of the position as it is now')
    .needs('config')
    .option('--inventory <plan>', 'a plan: NTZS=AMOUNT,USDC=AMOUNT,mid=RATE,bid=BPS,ask=BPS', planOption)
    .option(
      '--worlds <n>',
      'simulated quarters of the model; other markets have a fourth of them',
      numberOption({ whole: true, min: 20, max: 10_000 }),
      200,
    )
    .option('--seed <n>', 'seed of all random draws', numberOption(ANY_SEED), 1)
    .shared('every', 'json')
    .more(`
Reads the position from its daemon or its store, and changes nothing. Losses over a working day and a week in the model of
calibration and fairValue, in the simulated markets, and in stresses with what the limits do. The result is written to
risk.json in store.path, which the console shows; that of a plan is only printed. It may take minutes: after two
seconds it shows the progress and the remaining time; --worlds makes it shorter. See docs/risk.md.
Examples:
  $ npx mizani risk --config live.yaml --every 1h
  $ npx mizani risk --config live.yaml --inventory NTZS=12500000,USDC=5000,mid=2500,bid=60,ask=60`)
    .action(async (options) => {
      const { risk } = await import('./risk/risk.ts')
      await (await import('../repeat.ts')).repeatUntilSignal(options.every, () => risk(options))
    })
}

const PLANNED = ['NTZS', 'USDC', 'USDT', 'USDT.bnb', 'mid', 'bid', 'ask']

/** Parses a planned position: amounts by token, and the price and the half-spreads in bps. */
function planOption(text: string): Readonly<Record<string, number>> {
  const parts = keys(text).map((part) => /^([^=]+)=(\d+(?:\.\d+)?)$/.exec(part))
  const plan = Object.fromEntries(parts.map((part) => [part?.[1] ?? '', Number(part?.[2])]))
  const { mid = 1 } = plan
  const isKnown = Object.keys(plan).every((key) => PLANNED.includes(key)) && mid >= 1 && mid <= 1e6
  const isQuote = [plan['bid'], plan['ask']].every((bps) => bps === undefined || isSpreadBps(bps))
  if (isKnown && isQuote && Object.keys(plan).length === parts.length) return plan
  throw new InvalidArgumentError(
    `Expected NTZS=12500000,USDC=5000,mid=2500,bid=60,ask=60 with any of ${PLANNED.join(', ')}; mid from 1 to 1000000, bid and ask from 10 to 500.`,
  )
}
