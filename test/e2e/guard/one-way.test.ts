import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ms } from '../../../src/base/time.ts'
import { DEFAULT_TERMS } from '../../../src/lease/terms.ts'
import { cannotLayCable, type Cable, layBetween, layCable, type OneWay } from '../../support/cable.ts'
import { needs } from '../../support/needs.ts'
import { ownCertificate } from '../../support/own-certificate.ts'
import { endDaemons, type RunningDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { guardedDesk } from './guarded-desk.ts'
import { type PassedWrite, recordingWay } from './recording-way.ts'

// Daemon and guard each on a machine of their own, with an address of its own, and the venue at this end. Packets of one
// direction are lost on their cable, those of the other one pass, so that real TCP has to find out: a connection that stands
// goes on for one request, and a new one comes about in neither direction.

const ends: (() => unknown)[] = []
afterAll(async () => {
  await endDaemons()
  for (const end of ends.toReversed()) await end()
})

const { deadlineMs, waitMs, roundTripMs } = DEFAULT_TERMS
const SAFE_WITHIN_MS = 10_000
const SAFE = { bidBps: 500, askBps: 500, quoteBid: true, quoteAsk: true }
const QUOTED = { bidBps: 60, askBps: 70, quoteBid: true, quoteAsk: true }

/** All three, reached through cables; a write of the daemon or of the guard passes a way that remembers it. */
async function threeMachines() {
  const [ofDaemon, ofGuard] = [layCable(), layCable()]
  ends.push(ofDaemon.remove, ofGuard.remove)
  const between = layBetween(ofDaemon, ofGuard)
  const own = ownCertificate(ofGuard.there)
  ends.push(() => rmSync(own.folder, { recursive: true }))
  const desk = await guardedDesk()
  ends.push(() => desk.close())
  let onDaemonWrite = () => {}
  const daemonWay = await recordingWay(desk.venue.url, 0, ofDaemon.here, () => onDaemonWrite())
  const guardWay = await recordingWay(desk.venue.url, 0, ofGuard.here)
  ends.push(
    () => daemonWay.close(),
    () => guardWay.close(),
  )
  const env = { GUARD_TOKEN: randomBytes(32).toString('hex') }
  const guardSection = {
    port: desk.guardPort,
    url: `https://${ofGuard.there}:${desk.guardPort}`,
    host: ofGuard.there,
    token: '!env GUARD_TOKEN',
    tls: { cert: own.certFile, key: own.keyFile },
    ca: own.certFile,
  }
  const change = (baseUrl: string) => ({
    guard: guardSection,
    venue: { baseUrl, allowPlainHttp: true, clock: 'real' },
  })
  const inside = ({ space }: Cable) => ['ip', 'netns', 'exec', space]
  const guard = await desk.startGuard(env, change(guardWay.url), inside(ofGuard))
  const daemon = desk.startDaemon(env, change(daemonWay.url), inside(ofDaemon))
  return {
    desk,
    guard,
    daemon,
    ofDaemon,
    ofGuard,
    between,
    byDaemon: daemonWay.writes,
    byGuard: guardWay.writes,
    /** Called with the next write of the daemon, before the venue has it. */
    atNextWrite: (act: () => void) => {
      onDaemonWrite = () => {
        onDaemonWrite = () => {}
        act()
      }
    },
    words: () => `${guard.output()}\n${daemon.output()}${daemon.errors()}`,
  }
}

type Machines = Awaited<ReturnType<typeof threeMachines>>

/** When the guard logged this for the n-th time, by the clock of the test; null = not yet. */
function loggedAt(guard: RunningDaemon, words: string, nth: number): Ms | null {
  const lines = guard.output().split('\n').slice(0, -1)
  const line = lines.filter((one) => one.includes(words))[nth - 1]
  if (line === undefined) return null
  return Date.parse((JSON.parse(line) as { readonly time: string }).time) - performance.timeOrigin
}

async function quotesUnder({ desk, guard, words }: Machines, fence: number): Promise<void> {
  await until(
    `the daemon quotes under lease ${fence}`,
    async () =>
      guard.output().includes(`lease ${fence} is granted`) && (await desk.quote()).bidBps === QUOTED.bidBps,
    { otherwise: words },
  )
}

/** The last line that the daemon logged of an event. */
const lastOf = (daemon: RunningDaemon, event: string) =>
  daemon
    .output()
    .split('\n')
    .slice(0, -1)
    .findLast((line) => line.includes(`"event":"${event}"`))

const bodies = (writes: readonly PassedWrite[]) => writes.map(({ body }) => JSON.parse(body) as typeof SAFE)

/** Loses one direction between daemon and guard until both have made the quote safe, and heals it. `nth`: so often the guard has fired then. */
async function loseBetween(machines: Machines, way: OneWay, nth: number, beforeHeal = () => {}) {
  const { desk, guard, byDaemon, byGuard, words } = machines
  const [daemonsBefore, guardsBefore] = [byDaemon.length, byGuard.length]
  way.lose()
  const lostAt = performance.now()
  await until('the quote is safe', desk.isSafe, { otherwise: words })
  const safeMs = performance.now() - lostAt
  const confirmedAt = await until('the guard confirms it', () => loggedAt(guard, 'confirmed safe', nth), {
    otherwise: words,
  })
  // By then a daemon that has no confirmed safe quote would have set it once more, D and a second after it noticed the silence.
  await pause(3_000)
  const [daemons, guards] = [byDaemon.slice(daemonsBefore), byGuard.slice(guardsBefore)]
  beforeHeal()
  way.heal()
  await quotesUnder(machines, nth + 1)
  return { lostAt, safeMs, confirmedMs: confirmedAt - lostAt, daemons, guards }
}

/** What must hold whichever direction is lost. */
function expectNoFight({
  lostAt,
  safeMs,
  confirmedMs,
  daemons,
  guards,
}: Awaited<ReturnType<typeof loseBetween>>) {
  expect(safeMs).toBeLessThan(SAFE_WITHIN_MS)
  expect(confirmedMs).toBeLessThan(SAFE_WITHIN_MS)
  expect(daemons.length).toBeGreaterThan(0)
  for (const body of bodies(daemons)) expect(body).toMatchObject(SAFE)
  for (const { cameAt } of daemons) expect(cameAt - lostAt).toBeLessThan(deadlineMs)
  expect(guards.length).toBeGreaterThan(0)
  for (const body of bodies(guards)) expect(body).toMatchObject(SAFE)
  const ended = Math.max(...daemons.map(({ endedAt }) => endedAt ?? Number.POSITIVE_INFINITY))
  expect(Math.min(...guards.map(({ cameAt }) => cameAt))).toBeGreaterThan(ended)
}

describe.skipIf(needs('ip') || needs('openssl') || cannotLayCable())(
  'Daemon, guard and venue on three machines, of which one does not hear another that hears it',
  { timeout: 120_000 },
  () => {
    let machines: Machines
    beforeAll(async () => {
      machines = await threeMachines()
      const { desk, words } = machines
      await quotesUnder(machines, 1)
      await until('the position is active', () => desk.venue.model.state.ours.isActive, { otherwise: words })
    })

    test('the daemon does not hear the guard: it leaves the safe quote before its lease ends and waits; the guard hears one more renewal, which it answers in vain, and acts D after that one', async () => {
      const { between, guard } = machines
      const seen = await loseBetween(machines, between.toFirst, 1)
      expectNoFight(seen)
      // R counts from the renewal before that one.
      const firedAt = loggedAt(guard, 'has been silent', 1) ?? 0
      expect(firedAt - seen.lostAt).toBeGreaterThan(waitMs - roundTripMs)
    })

    test('the guard does not hear the daemon: the daemon leaves the safe quote before its lease ends and waits, and the guard acts after it', async () => {
      const { between, ofDaemon, atNextWrite } = machines
      // What the daemon writes under the next lease is the write of the next test.
      const seen = await loseBetween(machines, between.toSecond, 2, () => atNextWrite(ofDaemon.outward.lose))
      expectNoFight(seen)
    })

    test('the daemon does not hear the venue: a write whose answer is lost counts as unknown, is read back when the answers come again, and is no foreign hand; the lease is kept', async () => {
      const { desk, guard, daemon, ofDaemon, byDaemon, words } = machines
      await until(
        'the write is unknown',
        () => daemon.output().includes('(it may or may not have happened)'),
        {
          otherwise: words,
        },
      )
      expect(await desk.quote()).toMatchObject(QUOTED)
      expect(byDaemon.at(-1)).toMatchObject({ status: 200, body: expect.stringContaining('"bidBps":60') })
      const wasKnown = lastOf(daemon, 'beliefChanged')
      const written = byDaemon.length
      ofDaemon.outward.heal()
      await until(
        'the daemon knows what stands, and quotes',
        async () =>
          lastOf(daemon, 'beliefChanged') !== wasKnown &&
          lastOf(daemon, 'beliefChanged')?.includes('"belief":"known"') === true &&
          lastOf(daemon, 'tradingStateChanged')?.includes('"to":"ACTIVE"') === true &&
          (await desk.quote()).bidBps === QUOTED.bidBps,
        { otherwise: words },
      )
      // So many requests without an answer make it want the safe quote, until the venue answers.
      for (const { bidBps } of bodies(byDaemon.slice(written))) expect([500, 60]).toContain(bidBps)
      expect(daemon.output()).not.toContain('foreign-write')
      expect(guard.output().match(/has been silent/g)).toHaveLength(2)
    })

    test('the guard is cut off from the venue both ways while the daemon dies: it goes on trying, and sets the safe quote when its cable is back', async () => {
      const { desk, guard, daemon, ofGuard, words } = machines
      ofGuard.cut()
      await daemon.kill('SIGKILL')
      const stood = await desk.quote()
      const tries = () => guard.output().split('no whole answer').length
      await until('the guard has tried three times', () => tries() > 3, { otherwise: words })
      expect(await desk.quote()).toEqual(stood)
      ofGuard.heal()
      const healedAt = performance.now()
      const confirmedAt = await until('the guard confirms it', () => loggedAt(guard, 'confirmed safe', 3), {
        otherwise: words,
      })
      expect(confirmedAt - healedAt).toBeLessThan(SAFE_WITHIN_MS)
      expect(await desk.isSafe()).toBe(true)
    })
  },
)
