import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../../../src/base/random.ts'
import { openGuardClient } from '../../../src/daemon/guard/protocol/ask-guard.ts'
import { RELEASE_PATH } from '../../../src/daemon/guard/protocol/renewal.ts'
import { HTTP_TOKEN } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'
import { guardedDesk } from './guarded-desk.ts'

/** After which a figure counts as a failure of the guard. */
export const LIMIT_MS = 10_000

/** From kill -9 of the daemon until both sides are read back at the safe quote, sorted. */
export type KillFigures = {
  readonly kills: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly worstMs: number
  readonly overLimit: number
  /** By the rule of three, at 95 %: the chance of a kill beyond the limit is smaller. Null where one was beyond it. */
  readonly chanceBelow: number | null
}

/**
 * Kills the daemon of one desk again and again while it quotes, each time at a drawn moment, and lifts the latch after each.
 * Resolves with the times in ms.
 */
export async function killAgain(
  kills: number,
  seed: number,
  onKill: (ms: number) => void = () => undefined,
): Promise<readonly number[]> {
  const random = seededRandom(seed, 'guard kills')
  const desk = await guardedDesk()
  const guard = await desk.startGuard()
  const client = openGuardClient(`http://127.0.0.1:${desk.guardPort}`, () => HTTP_TOKEN)
  const times: number[] = []
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const daemon = desk.startDaemon()
      await desk.quoting(daemon)
      await pause(random() * 2_000)
      const killedAt = Date.now()
      await daemon.kill('SIGKILL')
      const confirmedAt = await until(
        'the guard confirms the safe quote',
        () => confirmations(guard.output())[kill],
        {
          otherwise: () => guard.output(),
        },
      )
      if (!(await desk.isSafe())) throw new Error('the guard calls a quote safe that is not')
      times.push(confirmedAt - killedAt)
      onKill(confirmedAt - killedAt)
      await client.ask('POST', RELEASE_PATH, {}, 5_000)
    }
  } finally {
    client.close()
    await guard.kill('SIGKILL')
    await desk.close()
  }
  return times
}

/** The first read-back of each firing that showed both sides safe, by the log of the guard. */
function confirmations(log: string): readonly number[] {
  const found: number[] = []
  let isOpen = false
  for (const line of log.split('\n')) {
    if (line.includes('has been silent for')) isOpen = true
    if (!isOpen || !line.includes('confirmed safe')) continue
    isOpen = false
    found.push(Date.parse((JSON.parse(line) as { readonly time: string }).time))
  }
  return found
}

export function figuresOf(times: readonly number[]): KillFigures {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  const overLimit = sorted.filter((ms) => ms > LIMIT_MS).length
  return {
    kills: sorted.length,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    worstMs: at(1),
    overLimit,
    chanceBelow: overLimit > 0 ? null : 3 / sorted.length,
  }
}
