import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { err, errorText, ok, type Result } from '../../../src/base/result.ts'
import type { RunningDaemon } from '../daemon/running-daemon.ts'

/** Real processes of one world, killed again and again. The seed draws the world and the points; the machine's speed has its part too. */
export type KillRun = {
  readonly seed: number
  readonly kills: number
  /** After each kill. */
  readonly onKill?: () => void
}

/** What has happened in a run, by name, so that one in which nothing happens is found out. */
export type KillsSeen = Readonly<Record<string, number>>

/** Kills the process, which has reported no error until then and has not ended by itself. */
export async function killNow(daemon: RunningDaemon, which: string): Promise<void> {
  const ended = await daemon.kill('SIGKILL')
  expect({ which, ...ended, errors: daemon.errors() }).toEqual({
    which,
    code: null,
    signal: 'SIGKILL',
    errors: '',
  })
}

/** Kills fall into the start, around its end, and up to `afterStartMs` after it. */
export async function killAtRandomPoints(
  start: () => RunningDaemon,
  { kills, onKill }: KillRun,
  afterStartMs: number,
  random: () => number,
): Promise<void> {
  let startMs = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const daemon = start()
    const began = performance.now()
    // Every third one is let come up first, however slow the machine is: its death finds it trading.
    if (kill % 3 === 0) {
      await daemon.url()
      startMs = performance.now() - began
      await pause(Math.floor(random() * afterStartMs))
    } else {
      await pause(Math.floor(random() * (startMs + afterStartMs)))
    }
    await killNow(daemon, `kill ${kill + 1} of ${kills}`)
    onKill?.()
  }
}

/** What daemons are killed in, one after the other. */
export type KilledWorld = {
  /** All that they have on disk. */
  readonly folder: string
  readonly start: () => RunningDaemon
  readonly close: () => Promise<void>
}

/**
 * Lets the run go to its end and closes its world. Of a failed one the latest daemon is ended, and what it has on disk and what it wrote
 * is copied first; the failure names the place.
 */
export async function closing<T>(
  world: KilledWorld,
  run: (start: () => RunningDaemon) => Promise<T>,
): Promise<T> {
  let latest: RunningDaemon | null = null
  const start = () => (latest = world.start())
  const lived = await attempt(() => run(start))
  if (lived.ok) {
    await world.close()
    return lived.value
  }
  const kept = mkdtempSync(join(tmpdir(), 'mizani-killed-'))
  const after = await attempt(async () => {
    await keep(latest, world.folder, kept)
    await world.close()
  })
  const problem = after.ok ? [] : [`its world does not close: ${errorText(after.error)}`]
  throw new Error([errorText(lived.error), ...problem, `what it has on disk: ${kept}`].join('\n'), {
    cause: lived.error,
  })
}

async function keep(latest: RunningDaemon | null, folder: string, kept: string): Promise<void> {
  await latest?.kill('SIGKILL')
  cpSync(folder, kept, { recursive: true })
  if (latest !== null) writeFileSync(join(kept, 'output'), `${latest.output()}${latest.errors()}`)
}

async function attempt<T>(work: () => Promise<T>): Promise<Result<T, unknown>> {
  try {
    return ok(await work())
  } catch (error) {
    return err(error)
  }
}
