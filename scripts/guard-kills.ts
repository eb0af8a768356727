import { writeFileSync } from 'node:fs'
import { ALL_RATES, clockFaults, cutWithRates } from '../test/e2e/guard/measure-clocks.ts'
import { figuresOf, killAgain } from '../test/e2e/guard/measure-kills.ts'
import { stopAgain, stopFaults } from '../test/e2e/guard/measure-stops.ts'
import { optionsOr } from './options-or-help.ts'

const HELP = `npm run guard-kills -- [options]

Measures a guarded daemon that dies, stands still, or is cut off, with real processes, and prints the result as JSON.

  --mode kills     kill -9 again and again: the times until the safe quote is confirmed (default)
  --mode stops     SIGSTOP for 1 to 30 s
  --mode clocks    clock rates of 15 % more and less; needs the Debian package faketime
  --kills N        so many kills (200)
  --desks N        so many at a time, each with a venue, a guard and a daemon of its own (1); of kills only
  --rounds N       so many rounds of all stops, or of all clock rates (1)
  --out FILE       also writes the result there; scripts/reliability-page.ts keeps it

Exit codes: 0 measured; 1 something happened that must not; 2 the options are wrong.
`

const STOPS_MS = [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000, 10_000, 15_000, 20_000, 30_000]

const values = optionsOr(HELP, {
  mode: { type: 'string', default: 'kills' },
  kills: { type: 'string', default: '200' },
  desks: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '1' },
  out: { type: 'string' },
})
const [kills, desks, rounds] = [Number(values.kills), Number(values.desks), Number(values.rounds)]
const MODES = { kills: measureKills, stops: measureStops, clocks: measureClocks } as const

if (![kills, desks, rounds].every((count) => Number.isSafeInteger(count) && count > 0) || desks > kills)
  refuse('--kills, --desks and --rounds are whole numbers above 0, and there is a kill for each desk')
if (!isMode(values.mode)) refuse(`--mode is one of ${Object.keys(MODES).join(', ')}`)
else {
  const text = JSON.stringify({ ...(await MODES[values.mode]()), node: process.versions.node })
  if (values.out !== undefined) writeFileSync(values.out, `${text}\n`)
  process.stdout.write(`${text}\n`)
}

function isMode(mode: string): mode is keyof typeof MODES {
  return Object.hasOwn(MODES, mode)
}

function refuse(words: string): void {
  process.stderr.write(`${words}\n`)
  process.exit(2)
}

async function measureKills(): Promise<object> {
  const began = Date.now()
  const times: number[] = []
  const share = (desk: number) => Math.floor(kills / desks) + (desk < kills % desks ? 1 : 0)
  await Promise.all(
    Array.from({ length: desks }, (_, desk) =>
      killAgain(share(desk), desk + 1, (ms) => {
        times.push(ms)
        const leftMs = ((Date.now() - began) / times.length) * (kills - times.length)
        process.stderr.write(
          `${times.length}/${kills} ${ms} ms, some ${Math.ceil(leftMs / 60_000)} min left\n`,
        )
      }),
    ),
  )
  return { ...figuresOf(times), desks, timesMs: times.sort((a, b) => a - b) }
}

async function measureStops(): Promise<object> {
  const times = Array.from({ length: rounds }, () => STOPS_MS).flat()
  let done = 0
  const outcomes = await stopAgain(times, (outcome) => {
    done += 1
    process.stderr.write(`${done}/${times.length} ${JSON.stringify(outcome)}\n`)
  })
  return judged(outcomes, outcomes.flatMap(stopFaults))
}

async function measureClocks(): Promise<object> {
  const outcomes = []
  for (let round = 0; round < rounds; round += 1)
    for (const rates of ALL_RATES) {
      const outcome = await cutWithRates(rates)
      outcomes.push(outcome)
      process.stderr.write(`${outcomes.length}/${rounds * ALL_RATES.length} ${JSON.stringify(outcome)}\n`)
    }
  return judged(outcomes, outcomes.flatMap(clockFaults))
}

/** By the rule of three, at 95 %: without a fault in n the chance of one is below 3 / n. */
function judged(outcomes: readonly object[], faults: readonly string[]): object {
  if (faults.length > 0) process.exitCode = 1
  return {
    runs: outcomes.length,
    faults,
    chanceBelow: faults.length > 0 ? null : 3 / outcomes.length,
    outcomes,
  }
}
