import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ms } from '../../../src/base/time.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../daemon/until.ts'
import { cuttableWay } from './cuttable-way.ts'
import { guardedDesk } from './guarded-desk.ts'
import { recordingWay } from './recording-way.ts'

/** How fast the clocks of both run, 1 = as they should. */
export type Rates = { readonly daemon: number; readonly guard: number }

/** What happened where the rates of the clocks differ, by the clock of the test. */
export type ClockOutcome = Rates & {
  /** The guard has fired while the daemon lived and was reached. */
  readonly firedEarly: boolean
  /** From the end of the daemon's last write to the first one of the guard: below 0 both wrote at once. */
  readonly gapMs: Ms
  /** From the cut to the safe quote that is read back. */
  readonly safeMs: Ms
  readonly foreign: boolean
}

/** The rates between which no two may write at once. */
export const DANGEROUS: Rates = { daemon: 0.85, guard: 1.15 }
export const ALL_RATES: readonly Rates[] = [
  DANGEROUS,
  { daemon: 1.15, guard: 0.85 },
  { daemon: 0.85, guard: 0.85 },
  { daemon: 1.15, guard: 1.15 },
]

/** Every write of the daemon is under way for so long. */
const WRITE_MS: Ms = 600
const ALIVE_MS: Ms = 6_000

/** Makes every clock of a process run at another rate, the monotonic one too: `needs('faketime')`. */
function clockRate(rate: number): Readonly<Record<string, string>> {
  const library = execFileSync('faketime', ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' })
  return { LD_PRELOAD: library.trim(), FAKETIME: `+0 x${rate}` }
}

/** A daemon and a guard with such clocks: both live for a while, then the way between them is cut and put back. */
export async function cutWithRates(rates: Rates): Promise<ClockOutcome> {
  const guardPort = await freePort()
  const between = await cuttableWay(guardPort)
  const desk = await guardedDesk({ port: guardPort, url: between.url })
  const [ofDaemon, ofGuard] = [
    await recordingWay(desk.venue.url, WRITE_MS),
    await recordingWay(desk.venue.url, 0),
  ]
  const guard = await desk.startGuard(clockRate(rates.guard), { venue: { baseUrl: ofGuard.url } })
  const daemon = desk.startDaemon(clockRate(rates.daemon), { venue: { baseUrl: ofDaemon.url } })
  try {
    await desk.quoting(daemon)
    await pause(ALIVE_MS)
    const firedEarly = guard.output().includes('has been silent')
    between.cut()
    const cutAt = performance.now()
    await until('the guard confirms the safe quote', () => guard.output().includes('confirmed safe'), {
      otherwise: () => guard.output(),
    })
    const safeMs = Math.round(performance.now() - cutAt)
    const last = Math.max(...ofDaemon.writes.map(({ endedAt }) => endedAt ?? Number.POSITIVE_INFINITY))
    const first = Math.min(...ofGuard.writes.map(({ cameAt }) => cameAt))
    between.heal()
    await desk.quoting(daemon)
    const foreign = daemon.output().includes('foreign-write')
    return { ...rates, firedEarly, gapMs: Math.round(first - last), safeMs, foreign }
  } finally {
    await daemon.kill('SIGKILL')
    await guard.kill('SIGKILL')
    for (const way of [ofDaemon, ofGuard, between]) way.close()
    await desk.close()
  }
}

/** What must not happen at rates that the terms allow; one sentence each. */
export function clockFaults({ firedEarly, gapMs, foreign }: ClockOutcome): readonly string[] {
  return [
    ...(firedEarly ? ['the guard fired at a daemon that lived'] : []),
    ...(gapMs > 0 ? [] : ['daemon and guard wrote at once']),
    ...(foreign ? ['the daemon took the writes of its guard for those of a stranger'] : []),
  ]
}
