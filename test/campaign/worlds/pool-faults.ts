import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { MINUTE_MS } from '../../../src/base/time.ts'
import { createDice, type Dice } from '../../world/dice.ts'
import { drawWorld } from '../../world/draw-world.ts'
import type { MischiefKind } from '../../world/mischief.ts'
import type { SimulationResult } from '../../world/simulate.ts'
import type { WorldOptions } from '../../world/world-options.ts'

type VenueFaults = NonNullable<SandboxOptionsInput['faults']>
type Routes = NonNullable<VenueFaults['routes']>
type Mutable<T> = { -readonly [K in keyof T]?: T[K] }
type Draft = {
  venue: VenueFaults
  daemon: Mutable<WorldOptions['daemon']>
  people: Mutable<WorldOptions['people']>
  mischief: Partial<Record<MischiefKind, number>>
}

/** Has a fault happen in a day, as hard as the dice say. */
type PutIn = (draft: Draft, dice: Dice) => void

const ROUTES = [
  '*',
  'GET *',
  'GET /fills',
  'GET /balances',
  'GET /account',
  'GET /rate',
  'PATCH /spread',
  'POST /activate',
]
const OFTEN = [0.002, 0.01, 0.04]

/** Faults of requests, by groups that are left out together. The names are those of the simulated venue. */
const REQUESTS = {
  'request lost': ['timeout-before', 'reset-before'],
  'answer lost': ['timeout-after', 'reset-after'],
  'server error': ['500', '500-after', '503'],
  'rate limit': ['429'],
  'answer spoilt': ['malformed', 'html', 'truncated'],
} as const

function onRoutes(kinds: (typeof REQUESTS)[keyof typeof REQUESTS]): PutIn {
  return ({ venue }, dice) => {
    const routes: Routes = kinds.map((kind) => ({
      route: dice.pick(ROUTES),
      chance: { [kind]: 2 * dice.next() * dice.pick(OFTEN) },
    }))
    venue.routes = [...(venue.routes ?? []), ...routes]
  }
}

function row(kind: 'duplicate' | 'missing' | 'late' | 'reordered', most: number): PutIn {
  return ({ venue }, dice) => {
    venue.fills = {
      ...venue.fills,
      [kind]: dice.next() * most,
      lateMeanMs: dice.pick([5_000, 20_000, 90_000]),
    }
  }
}

function often(kind: MischiefKind, most: number): PutIn {
  return ({ mischief }, dice) => void (mischief[kind] = dice.between(1, most))
}

const PUT_IN: Readonly<Record<string, PutIn>> = {
  'request lost': onRoutes(REQUESTS['request lost']),
  'answer lost': onRoutes(REQUESTS['answer lost']),
  'server error': onRoutes(REQUESTS['server error']),
  'rate limit': onRoutes(REQUESTS['rate limit']),
  'answer spoilt': onRoutes(REQUESTS['answer spoilt']),
  'slow venue': ({ venue }, dice) => void (venue.latency = { meanMs: dice.pick([20, 300]) }),
  'fill repeated': row('duplicate', 0.3),
  'fill missing': row('missing', 0.004),
  'fill late': row('late', 0.2),
  'fill out of order': row('reordered', 0.3),
  'pool leaks': ({ venue }, dice) => void (venue.leakBps = dice.pick([1, 10])),
  'fee not as named': ({ venue }, dice) => void (venue.debitedFeeBps = dice.pick([0, 20, 30])),
  'mid frozen': ({ venue }) => void (venue.frozenMid = true),
  'mid off': ({ venue }, dice) =>
    void (venue.jumpedMid = { chance: dice.next() / 2, bps: dice.pick([-400, -40, 40, 1_000]) }),
  'spread applied late': ({ venue }, dice) =>
    void (venue.slowPatch = { chance: 0.3 * dice.next(), delayMs: dice.pick([800, 5_000, 25_000]) }),
  'spread unanswered': ({ venue }, dice) =>
    void (venue.lostPatch = { chance: 0.2 * dice.next(), applied: dice.next() }),
  'deactivation partial': ({ venue }, dice) => void (venue.partialDeactivation = 0.8 * dice.next()),
  'activation busy': ({ venue }, dice) => void (venue.busyActivation = dice.next() / 2),
  'withdrawal unanswered': ({ venue }, dice) =>
    void (venue.ambiguousWithdraw = { chance: dice.next(), applied: dice.next() }),
  crash: ({ daemon }, dice) => {
    daemon.crashesPerDay = dice.between(1, 12)
    daemon.downMeanMs = dice.pick([100, 5_000, 120_000])
  },
  'operator commands': ({ people }, dice) => {
    people.commandsPerDay = dice.between(1, 20)
    people.resumeAfterMeanMs = dice.between(2, 40) * MINUTE_MS
  },
  reload: ({ people }, dice) => void (people.reloadsPerDay = dice.between(1, 8)),
  'foreign hand': ({ people }, dice) => void (people.dashboardPerDay = dice.between(1, 6)),
  deposit: often('depositsPerDay', 3),
  theft: often('theftsPerDay', 2),
  'mid jump': often('midJumpsPerDay', 3),
  'market closed': often('notQuotablePerDay', 3),
  outage: often('outagesPerDay', 5),
  'pool short': often('shortfallsPerDay', 4),
  suspension: often('suspensionsPerDay', 3),
  'key refused': often('revocationsPerDay', 1),
  'lying mid': often('liesPerDay', 4),
  'clock jump': often('clockJumpsPerDay', 4),
}

export const POOL_FAULTS: readonly string[] = Object.keys(PUT_IN)

const MISCHIEF: Readonly<Record<MischiefKind, string>> = {
  depositsPerDay: 'deposit',
  theftsPerDay: 'theft',
  midJumpsPerDay: 'mid jump',
  notQuotablePerDay: 'market closed',
  outagesPerDay: 'outage',
  shortfallsPerDay: 'pool short',
  suspensionsPerDay: 'suspension',
  revocationsPerDay: 'key refused',
  liesPerDay: 'lying mid',
  clockJumpsPerDay: 'clock jump',
}

/** The day of a seed with every kind of fault but those. How hard a fault hits is drawn by dice of its own, whatever else there is. */
export function drawPoolDay(seed: number, without: readonly string[]): WorldOptions {
  const drawn = drawWorld(seed)
  const none = Object.fromEntries(Object.keys(MISCHIEF).map((kind) => [kind, 0]))
  const draft: Draft = { venue: {}, daemon: { crashesPerDay: 0 }, people: {}, mischief: none }
  for (const [name, putIn] of Object.entries(PUT_IN))
    if (!without.includes(name)) putIn(draft, createDice(seed, `fault ${name}`))
  return {
    ...drawn,
    venue: { ...drawn.venue, faults: draft.venue },
    daemon: { ...drawn.daemon, ...draft.daemon },
    people: { ...drawn.people, commandsPerDay: 0, reloadsPerDay: 0, dashboardPerDay: 0, ...draft.people },
    mischief: draft.mischief as WorldOptions['mischief'],
  }
}

/** What the venue counts of each kind, under its own names. */
const AT_VENUE: Readonly<Record<string, readonly string[]>> = {
  ...REQUESTS,
  'slow venue': ['slow'],
  'fill repeated': ['row repeated'],
  'fill missing': ['row missing'],
  'fill late': ['row late'],
  'fill out of order': ['row displaced'],
  'pool leaks': ['leak'],
  'fee not as named': ['fee off'],
  'mid frozen': ['print frozen'],
  'mid off': ['print off'],
  'spread applied late': ['spread late'],
  'spread unanswered': ['spread lost'],
  'deactivation partial': ['deactivation partial'],
  'activation busy': ['activation busy'],
  'withdrawal unanswered': ['withdrawal lost'],
}

/** How often each kind befell the day. */
export function poolFaultCounts(
  { tally, befell, venueFaults }: SimulationResult,
  without: readonly string[],
): Record<string, number> {
  const counted: Record<string, number> = {
    crash: tally.crashes,
    'operator commands': tally.commands,
    reload: tally.reloads,
    'foreign hand': tally.dashboard,
  }
  for (const [kind, count] of Object.entries(befell)) counted[MISCHIEF[kind as MischiefKind]] = count
  for (const [name, kinds] of Object.entries(AT_VENUE))
    counted[name] = kinds.reduce((sum, kind) => sum + (venueFaults[`fault ${kind}`] ?? 0), 0)
  const present = POOL_FAULTS.filter((name) => !without.includes(name))
  return Object.fromEntries(present.map((name) => [name, counted[name] ?? 0]))
}
