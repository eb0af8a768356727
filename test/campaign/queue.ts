import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { err, errorText, ok, type Result } from '../../src/base/result.ts'
import { SECOND_MS, type Ms } from '../../src/base/time.ts'
import { openQueueDatabase, type QueueChoice, type WorkKind } from '../../src/research/queue/database.ts'
import type { Hands } from '../../src/research/queue/run-here.ts'
import { workQueue } from '../../src/research/queue/work-queue.ts'
import { type CampaignPlan, type KeptResult, keyOf, livedUnits, type Unit } from './plan.ts'
import type { Program } from './program.ts'
import type { CampaignPorts } from './run-campaign.ts'
import { Missing, type Work } from './run-missing.ts'

/** The days and spoilt answers of a campaign. */
type CampaignBatch = { readonly id: string; readonly program: Program; readonly plan: CampaignPlan }
/** A part is a unit, by its place in the plan. */
type LivedPart = { readonly part: number; readonly result: KeptResult }

const CAMPAIGNS: WorkKind<CampaignBatch, LivedPart> = {
  schema: 'mizani_campaign',
  partsOf: ({ plan }) => livedUnits(plan).map((_, part) => part),
  partOf: ({ part }) => part,
}

const LOOK_EVERY_MS: Ms = SECOND_MS

type Living = Pick<CampaignPorts, 'size' | 'run' | 'signal'>

/**
 * Lives what has no result yet together with every process that joins, and keeps all results here. With a size of 0 this process
 * lives nothing itself. The error says what became of the queue.
 */
export async function liveShared(
  units: readonly Unit[],
  work: Work,
  ports: Living & Pick<CampaignPorts, 'print' | 'now'>,
  queue: QueueChoice,
): Promise<Result<null, string>> {
  const { commit, node, version, worlds, days, firstSeed, fuzz } = work.head
  const program = { commit, node, version, worlds }
  const missing = new Missing(units, work, ports)
  if (missing.units.length === 0) return ok(null)
  const batch = batchOf(program, { days, firstSeed, fuzz, kills: 0 })
  const opened = await openQueueDatabase(CAMPAIGNS, queue.url, ports.size)
  if (!opened.ok) return opened
  const database = opened.value
  const partOf = new Map(units.map((unit, part) => [keyOf(unit), part]))
  const lived = (): LivedPart[] =>
    work.results.flatMap((result) => {
      const part = partOf.get(result.key)
      return part === undefined ? [] : [{ part, result }]
    })
  try {
    await database.publish(batch, lived())
    const take = async (): Promise<void> => {
      const known = lived().map(({ part }) => part)
      for (const { result } of await database.results(batch.id, known)) missing.take(result)
    }
    const hands = ports.size === 0 ? null : handsOf(units, program, ports)
    const { signal } = ports
    const worked = await workQueue({
      database,
      batch: batch.id,
      total: units.length,
      hands,
      leaseMs: queue.leaseMs,
      signal,
      look: take,
    })
    // What was in hand when this process was to end.
    await take()
    return worked.ok ? ok(null) : worked
  } catch (thrown) {
    return err(`--queue: ${errorText(thrown)}`)
  } finally {
    await database.close()
  }
}

/**
 * Lives units of the oldest open campaign of a queue until it is complete or `signal` says to leave; where none is open it waits
 * for one for `waitMs`. The error names why this program may join none.
 */
export async function joinCampaign(
  program: Program,
  ports: Living & { readonly waitMs: Ms },
  queue: QueueChoice,
): Promise<Result<'complete' | 'left', string>> {
  const { signal, waitMs, size } = ports
  const opened = await openQueueDatabase(CAMPAIGNS, queue.url, size)
  if (!opened.ok) return opened
  const database = opened.value
  try {
    const began = performance.now()
    let open = await database.open()
    while (open.length === 0 && !signal.aborted && performance.now() - began < waitMs) {
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
      open = await database.open()
    }
    if (signal.aborted) return ok('left')
    const batch = open.find((one) => differenceOf(one, program) === null)
    if (batch === undefined) return err(whyNone(open, program))
    const units = livedUnits(batch.plan)
    return await workQueue({
      database,
      batch: batch.id,
      total: units.length,
      hands: handsOf(units, program, ports),
      leaseMs: queue.leaseMs,
      signal,
      look: () => Promise.resolve(),
    })
  } catch (thrown) {
    return err(`--queue: ${errorText(thrown)}`)
  } finally {
    await database.close()
  }
}

function handsOf(
  units: readonly Unit[],
  { commit, node }: Program,
  { size, run }: Pick<Living, 'size' | 'run'>,
): Hands<LivedPart> {
  return {
    size,
    async run(part) {
      const unit = units[part]
      if (unit === undefined) return err(`the queue has a unit ${part} that there is not`)
      return ok({ part, result: { ...(await run(unit)), commit, node } })
    },
  }
}

function batchOf(program: Program, plan: CampaignPlan): CampaignBatch {
  const { commit, node, version, worlds } = program
  const { days, firstSeed, fuzz } = plan
  const all = [
    commit,
    node,
    version,
    Object.entries(worlds).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    days,
    firstSeed,
    fuzz,
  ]
  const id = createHash('sha256').update(JSON.stringify(all)).digest('hex')
  return { id, program, plan }
}

/** What of the program is another one there; null = nothing. */
function differenceOf({ id, program: there, plan }: CampaignBatch, here: Program): string | null {
  for (const what of ['commit', 'node', 'version'] as const)
    if (there[what] !== here[what]) return `${what} ${there[what]} there, ${here[what]} here`
  const names = Object.keys({ ...there.worlds, ...here.worlds })
  const others = names.filter((name) => there.worlds[name] !== here.worlds[name])
  if (others.length > 0) return `other worlds: ${others.join(', ')}`
  return batchOf(here, plan).id === id ? null : 'another plan'
}

function whyNone(open: readonly CampaignBatch[], program: Program): string {
  if (open.length === 0) return 'no campaign is open in this queue; start one with --queue first'
  const reasons = open.map((one) => `  ${one.id.slice(0, 12)}: ${differenceOf(one, program)}`)
  return `no open campaign of this queue can be joined from here:\n${reasons.join('\n')}`
}
