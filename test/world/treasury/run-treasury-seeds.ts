import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { simulateTreasury, type TreasuryDayResult, type TreasuryDeeds } from './simulate-treasury.ts'

const A_BATCH = 10

/** What a day has seen at least, on average, or nothing was put to the test. */
const LEAST: TreasuryDeeds = {
  sendings: 20,
  effects: 15,
  restarts: 5,
  settled: 5,
  claims: 0.1,
  reverted: 0.2,
}

/**
 * Tests of the days of seeds `first` to `last`. MIZANI_TREASURY_DAYS=1000 lives so many more of them in each file, and
 * MIZANI_WORLD_SEED=7 that day alone.
 */
export function runTreasurySeeds(first: number, last: number): void {
  const only = process.env['MIZANI_WORLD_SEED']
  const more = Number(process.env['MIZANI_TREASURY_DAYS'] ?? 0)
  // Beyond the seeds of every file that is run without it; one alone, whatever its number, is lived in the first file.
  const all = [...range(first, last), ...range(first * 1_000, first * 1_000 + more - 1)]
  const alone = first === 1 ? [Number(only)] : []
  const seeds = only === undefined ? all : alone
  const results: TreasuryDayResult[] = []
  for (let at = 0; at < seeds.length; at += A_BATCH) {
    const batch = seeds.slice(at, at + A_BATCH)
    it(`from seed ${batch[0]} on nothing is lost or sent twice, every intent ends or is a claim, and the books are the venue's`, async () => {
      for (const seed of batch) results.push(await liveSeed(seed))
    }, 600_000)
  }
  it.runIf(only === undefined)('something of everything has happened in these days', () => {
    for (const [name, least] of Object.entries(LEAST)) {
      const sum = results.reduce((all, result) => all + result[name as keyof TreasuryDeeds], 0)
      expect({ name, isEnough: sum > least * results.length }).toEqual({ name, isEnough: true })
    }
  })
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

async function liveSeed(seed: number): Promise<TreasuryDayResult> {
  try {
    return await simulateTreasury(seed)
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const alone = `alone: MIZANI_WORLD_SEED=${seed} npx vitest run test/world/treasury`
    return expect.fail(`${why}\ntreasury day of seed ${seed} at commit ${commit()}\n${alone}`)
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown (not a git checkout)'
  }
}
