import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createThreadPool } from '../src/threads/pool.ts'
import { HELP, parseOptions } from '../test/campaign/options.ts'
import { keyOf, type Unit, type UnitResult, worldIds } from '../test/campaign/plan.ts'
import { repeatDay, runCampaign } from '../test/campaign/run-campaign.ts'

// `npm run campaign -- --days 10000`: docs/reliability.md explains it; `--help` lists the options.

const print = (line: string): void => void process.stderr.write(`${line}\n`)

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2))
  if (!options.ok) {
    print(`${options.error}\n\n${HELP}`)
    return 2
  }
  const chosen = options.value
  if (chosen.do === 'help') {
    process.stdout.write(HELP)
    return 0
  }
  if (chosen.do === 'repeat') {
    const repeated = await repeatDay(chosen, (line) => void process.stdout.write(`${line}\n`))
    if (!repeated.ok) print(repeated.error)
    return repeated.ok ? 0 : 1
  }
  const { days, firstSeed, fuzz, out, workers } = chosen
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const pool = createThreadPool<Unit, UnitResult>(
    new URL('../test/campaign/campaign-worker.ts', import.meta.url),
    workers,
  )
  const plan = { days, firstSeed, fuzz }
  const head = { ...plan, worlds: worldIds(version), version, commit: commit(), node: process.versions.node }
  const ended = await runCampaign(head, out, {
    size: workers,
    async run(unit) {
      const answer = await pool.run(unit)
      return answer.ok ? answer.value : lost(unit, answer.error)
    },
    print,
    now: () => performance.now(),
    signal: stop.signal,
  })
  await pool.close()
  if (!ended.ok) {
    print(ended.error)
    return 2
  }
  const { summaryFile, problem } = ended.value
  print(problem === null ? `all of it held: ${summaryFile}` : `${problem} (${summaryFile})`)
  return problem === null ? 0 : 1
}

/** A unit whose thread has died: that is a failure of the day. */
function lost(unit: Unit, failure: string): UnitResult {
  const seed = unit.kind === 'canary' ? 0 : unit.day.seed
  const { kind, world } = unit
  return { key: keyOf(unit), kind, world, seed, ms: 0, faults: {}, seen: {}, failure }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown (not a git checkout)'
  }
}

process.exitCode = await main()
