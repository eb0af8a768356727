import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { seededRandom } from '../../../src/base/random.ts'
import { expectEqualBooks } from '../daemon/compare-books.ts'
import type { RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import type { VenueWrite } from './recording-proxy.ts'
import { type Machine, quotes, sharedDesk, type SharedDesk, standsBy } from './shared-desk.ts'
import { SKEWING } from '../kills/kill-pool.ts'

/**
 * What happens to the daemon that holds the position. After `cut`, of its connections by PostgreSQL, it continues. `partition`: nothing
 * passes between it and PostgreSQL, and no one learns of it; it still reaches the venue.
 */
export const KINDS = ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'partition', 'cut'] as const
export type Kind = (typeof KINDS)[number]

/** From what happened until the daemon that holds the position after it has a quote that the venue confirmed. */
export type Handover = { readonly kind: Kind; readonly ms: number }

/** What each kind may take. */
export const LIMITS_MS: Readonly<Record<Kind, number>> = {
  SIGKILL: 10_000,
  SIGTERM: 3_000,
  SIGSTOP: 10_000,
  partition: 10_000,
  cut: 3_000,
}

type Pair = { holder: Machine; holding: RunningDaemon; waiting: RunningDaemon }

/**
 * Two daemons of one position, real processes, under flow: the one that holds it ends in each way in turn, at a drawn moment.
 * Throws where both wrote at the venue, or where a fill is missing or there twice.
 */
export async function handOverAgain(
  databaseUrl: string,
  { rounds, seed, name }: { readonly rounds: number; readonly seed: number; readonly name: string },
  onDone: (done: Handover) => void = () => undefined,
): Promise<readonly Handover[]> {
  const random = seededRandom(seed, 'hand-overs')
  const desk = await sharedDesk(databaseUrl, name, SKEWING, seed)
  const done: Handover[] = []
  try {
    const holding = desk.start('a')
    await quotes(holding)
    const waiting = desk.start('b')
    await standsBy(waiting)
    const pair: Pair = { holder: 'a', holding, waiting }
    for (let round = 0; round < rounds; round += 1) {
      const kind = KINDS[round % KINDS.length] ?? 'SIGKILL'
      await pause(1_000 + random() * 2_000)
      const from = desk.writes.length
      const ms = await endIn(kind, desk, pair, databaseUrl)
      expectOneWriter(desk.writes.slice(from), kind)
      done.push({ kind, ms })
      onDone({ kind, ms })
    }
    await expectNoFillLost(desk, pair.holding)
  } finally {
    await desk.close()
  }
  return done
}

async function endIn(kind: Kind, desk: SharedDesk, pair: Pair, databaseUrl: string): Promise<number> {
  const { holding, waiting, holder } = pair
  const began = performance.now()
  if (kind === 'cut') {
    await cutConnections(databaseUrl)
    await quotes(holding)
    const ms = performance.now() - began
    await standsBy(waiting)
    return ms
  }
  if (kind === 'partition') desk.linkOf(holder).cut()
  else holding.child.kill(kind)
  await quotes(waiting)
  const ms = performance.now() - began
  pair.holding = waiting
  pair.holder = holder === 'a' ? 'b' : 'a'
  if (kind === 'SIGSTOP') {
    holding.child.kill('SIGCONT')
    pair.waiting = await wokenUp(holding, () => desk.start(holder))
  } else {
    await holding.exit
    if (kind === 'partition') desk.linkOf(holder).heal()
    pair.waiting = desk.start(holder)
  }
  await standsBy(pair.waiting)
  return ms
}

/** It finds out that it was deposed and stands by; where PostgreSQL does not answer at once it ends, and its supervisor starts it. */
async function wokenUp(daemon: RunningDaemon, start: () => RunningDaemon): Promise<RunningDaemon> {
  const ended = daemon.exit.then(() => null)
  const standing = standsBy(daemon).then(
    () => daemon,
    () => null,
  )
  return (await Promise.race([ended, standing])) ?? start()
}

async function cutConnections(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mizani'",
  )
  await client.end()
}

/** Once the next holder has written, the one before writes no more. */
function expectOneWriter(writes: readonly VenueWrite[], kind: Kind): void {
  const order = writes.map(({ who }) => who).filter((who, index, all) => who !== all[index - 1])
  const most = kind === 'cut' ? 1 : 2
  if (order.length > most)
    throw new Error(`after ${kind} both daemons wrote at the venue: ${JSON.stringify(writes)}`)
}

async function expectNoFillLost(desk: SharedDesk, holding: RunningDaemon): Promise<void> {
  desk.stopTrading()
  await until(
    'the daemon has every fill, and balances that agree',
    async () => {
      const view = await holding.state()
      const { ours } = desk.venue.model.book()
      return view.fills.total === ours.fills.length && view.reconciliation.state === 'reconciled'
    },
    { otherwise: () => holding.state() },
  )
  await expectEqualBooks(desk.venue.model, desk.place, await holding.state())
}

/** The figures of each kind, and over all of them. */
export function figuresOf(done: readonly Handover[]) {
  const byKind = KINDS.map((kind) => [kind, timesOf(done.filter((one) => one.kind === kind))] as const)
  const late = done.filter(({ kind, ms }) => ms > LIMITS_MS[kind]).length
  return {
    handovers: done.length,
    byKind: Object.fromEntries(byKind),
    overLimit: late,
    /** By the rule of three, at 95 %: the chance of one beyond its limit is smaller. Null where one was beyond it. */
    chanceBelow: late > 0 || done.length === 0 ? null : 3 / done.length,
  }
}

function timesOf(done: readonly Handover[]) {
  const sorted = done.map(({ ms }) => Math.round(ms)).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null
  return { count: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), worstMs: at(1) }
}
