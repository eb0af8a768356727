import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { errorText } from '../src/base/result.ts'
import { createThreadPool } from '../src/threads/pool.ts'
import { type CampaignHead, plannedIn } from '../test/campaign/kept.ts'
import { type CampaignOptions, HELP, parseOptions, planOf } from '../test/campaign/options.ts'
import { keyOf, seedOf, type Unit, type UnitResult, worldIds } from '../test/campaign/plan.ts'
import { repeatDay, repeatKills, runCampaign } from '../test/campaign/run-campaign.ts'
import { UnitLimit } from '../test/campaign/unit-limit.ts'
import buildDaemon from '../test/support/build-daemon.ts'

// `npm run campaign -- --days 10000 --kills 1000`: docs/reliability.md explains it; `--help` lists the options.

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
  if (chosen.do === 'run') return run(chosen)
  const out = (line: string): void => void process.stdout.write(`${line}\n`)
  const repeated =
    chosen.do === 'repeat' ? await repeatDay(chosen, out) : await built(() => repeatKills(chosen, out))
  if (!repeated.ok) print(repeated.error)
  return repeated.ok ? 0 : 1
}

async function run(chosen: Extract<CampaignOptions, { do: 'run' }>): Promise<number> {
  const { named, out, workers } = chosen
  const known = plannedIn(out)
  if (!known.ok) {
    print(known.error)
    return 2
  }
  const plan = planOf(named, known.value)
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  const head = { ...plan, worlds: worldIds(version), version, commit: commit(), node: process.versions.node }
  const live = () => runOnThreads(head, out, workers)
  const ended = plan.kills > 0 ? await built(live) : await live()
  if (!ended.ok) {
    print(ended.error)
    return 2
  }
  const { summaryFile, problem } = ended.value
  print(problem === null ? `all of it held: ${summaryFile}` : `${problem} (${summaryFile})`)
  return problem === null ? 0 : 1
}

async function runOnThreads(head: CampaignHead, out: string, workers: number) {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const limit = new UnitLimit()
  // What is killed waits more than it computes.
  const killsAtOnce = 2 * workers
  const pool = createThreadPool<Unit, UnitResult>(
    new URL('../test/campaign/campaign-worker.ts', import.meta.url),
    head.kills > 0 ? killsAtOnce : workers,
    limit.hangs,
  )
  try {
    return await runCampaign(head, out, {
      size: workers,
      killsAtOnce,
      async run(unit) {
        const answer = await pool.run(unit)
        if (!answer.ok) return lost(unit, answer.error)
        limit.ended(answer.value.ms)
        return answer.value
      },
      print,
      now: () => performance.now(),
      signal: stop.signal,
    })
  } finally {
    await pool.close()
  }
}

/** With the program as it is shipped, which starts in a third of the time that its sources need. */
async function built<T>(work: () => Promise<T>): Promise<T> {
  const remove = await buildDaemon()
  try {
    return await work()
  } finally {
    remove()
  }
}

/** A unit whose thread has died, or was ended because the unit did not end: that is a failure of the day. */
function lost(unit: Unit, failure: string): UnitResult {
  const { kind, world } = unit
  return { key: keyOf(unit), kind, world, seed: seedOf(unit), ms: 0, cpuMs: 0, faults: {}, seen: {}, failure }
}

/** What a unit runs. */
const PROGRAM = ['src', 'test', 'scripts', 'strategies', 'config', 'package.json', 'package-lock.json']

function commit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim()
  try {
    const head = git('rev-parse', '--short=8', 'HEAD')
    return git('status', '--porcelain', '--', ...PROGRAM) === '' ? head : `${head}-dirty`
  } catch {
    return 'unknown (not a git checkout)'
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  print(errorText(error))
  process.exitCode = 2
}
