import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { errorText } from '../../../src/base/result.ts'
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

/** Lets the run go to its end and closes its world. What a failed one has on disk is copied first, and its failure names the place. */
export async function closing<T>(
  world: { readonly folder: string; readonly close: () => Promise<void> },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const kept = mkdtempSync(join(tmpdir(), 'mizani-killed-'))
    cpSync(world.folder, kept, { recursive: true })
    throw new Error(`${errorText(error)}\nwhat it has on disk: ${kept}`, { cause: error })
  } finally {
    await world.close()
  }
}
