import { join } from 'node:path'
import { errorText } from '../src/base/result.ts'
import { SECOND_MS } from '../src/base/time.ts'
import type { QueueChoice } from '../src/research/queue/database.ts'
import { createThreadPool } from '../src/base/threads/pool.ts'
import { type CampaignHead, plannedIn } from '../test/campaign/kept.ts'
import { type CampaignOptions, HELP, parseOptions, planOf } from '../test/campaign/options.ts'
import { keyOf, seedOf, type Unit, type UnitResult } from '../test/campaign/plan.ts'
import { programAt } from '../test/campaign/program.ts'
import { joinCampaign, liveShared } from '../test/campaign/queue.ts'
import { type CampaignPorts, repeatDay, repeatKills, runCampaign } from '../test/campaign/run-campaign.ts'
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
  if (chosen.do === 'join') return joinQueue(chosen)
  const out = (line: string): void => void process.stdout.write(`${line}\n`)
  const repeated =
    chosen.do === 'repeat' ? await repeatDay(chosen, out) : await built(() => repeatKills(chosen, out))
  if (!repeated.ok) print(repeated.error)
  return repeated.ok ? 0 : 1
}

const ROOT = join(import.meta.dirname, '..')
/** The campaign of a queue may be opened after those who join it. */
const WAITS_FOR_CAMPAIGN_MS = 60 * SECOND_MS

async function run(chosen: Extract<CampaignOptions, { do: 'run' }>): Promise<number> {
  const { named, out } = chosen
  const known = plannedIn(out)
  if (!known.ok) {
    print(known.error)
    return 2
  }
  const plan = planOf(named, known.value)
  const head = { ...plan, ...programAt(ROOT) }
  const live = () => runOnThreads(head, chosen)
  const ended = plan.kills > 0 ? await built(live) : await live()
  if (!ended.ok) {
    print(ended.error)
    return 2
  }
  const { summaryFile, problem } = ended.value
  print(problem === null ? `all of it held: ${summaryFile}` : `${problem} (${summaryFile})`)
  return problem === null ? 0 : 1
}

async function joinQueue(chosen: Extract<CampaignOptions, { do: 'join' }>): Promise<number> {
  const { queue, workers } = chosen
  const ended = await onThreads(workers, (ports) =>
    joinCampaign(programAt(ROOT), { ...ports, size: workers, waitMs: WAITS_FOR_CAMPAIGN_MS }, queue),
  )
  print(ended.ok ? `the campaign is ${ended.value}` : ended.error)
  return ended.ok ? 0 : 2
}

function runOnThreads(head: CampaignHead, { out, workers, queue }: Extract<CampaignOptions, { do: 'run' }>) {
  // Planted bugs and kills are looked for here, no matter who lives the days. What is killed waits more than it computes.
  const size = Math.max(1, workers)
  const killsAtOnce = 2 * size
  return onThreads(head.kills > 0 ? killsAtOnce : size, (threads) => {
    const ports = { ...threads, size, killsAtOnce, print, now: () => performance.now() }
    const share = queue === null ? {} : { share: sharing({ ...ports, size: workers }, queue) }
    return runCampaign(head, out, { ...ports, ...share })
  })
}

function sharing(ports: Parameters<typeof liveShared>[2], queue: QueueChoice): CampaignPorts['share'] {
  return (units, work) => liveShared(units, work, ports, queue)
}

type Threads = Pick<CampaignPorts, 'run' | 'signal'>

/** With so many threads, each of which lives a unit at a time; a signal lets them finish what they live. */
async function onThreads<T>(size: number, work: (threads: Threads) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const limit = new UnitLimit()
  const worker = new URL('../test/campaign/campaign-worker.ts', import.meta.url)
  const pool = createThreadPool<Unit, UnitResult>(worker, size, limit.hangs)
  try {
    return await work({
      async run(unit) {
        const answer = await pool.run(unit)
        if (!answer.ok) return lost(unit, answer.error)
        limit.ended(answer.value.ms)
        return answer.value
      },
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

try {
  process.exitCode = await main()
} catch (error) {
  print(errorText(error))
  process.exitCode = 2
}
