import { InvalidArgumentError } from 'commander'
import { ANY_SEED, type CommandLine, keys, numberOption } from '../options.ts'

export function addRisk(program: CommandLine): void {
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
  const isValid = Object.keys(plan).every((key) => PLANNED.includes(key)) && plan['mid'] !== 0
  if (isValid && Object.keys(plan).length === parts.length) return plan
  throw new InvalidArgumentError(
    `Expected NTZS=12500000,USDC=5000,mid=2500,bid=60,ask=60 with any of ${PLANNED.join(', ')}.`,
  )
}
