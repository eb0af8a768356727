import { setTimeout as pause } from 'node:timers/promises'
import { SECOND_MS, type Ms } from '../../base/time.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { type CommandResult, printProgress } from '../output/print.ts'

/** The condition still missing for completion; null = the venue and the wallet have confirmed it. */
type Missing = string | null

const POLL_MS = SECOND_MS
const WITHOUT_PROGRESS_MS = 45 * SECOND_MS
const IN_ALL_MS = 150 * SECOND_MS

const DEACTIVATED =
  'deactivated: the venue and the wallet confirm it. The position stays inactive until `mizani activate`'

type Waits = { readonly lookMs: Ms; readonly withoutProgressMs: Ms; readonly inAllMs: Ms }
/** `show` receives the missing condition whenever it changes. */
type Following = {
  readonly waitSeconds?: number | undefined
  readonly waits?: Waits
  readonly show?: (missing: string) => void
}

function waitsOf(seconds: number | undefined): Waits {
  const limitMs = seconds === undefined ? null : seconds * SECOND_MS
  return {
    lookMs: POLL_MS,
    withoutProgressMs: limitMs ?? WITHOUT_PROGRESS_MS,
    inAllMs: limitMs ?? IN_ALL_MS,
  }
}

/**
 * Waits for the end of a deactivation and reports success only then. `look` returns what is missing. After 45 s without
 * progress, or 150 s in all (`waitSeconds` in place of both), the result is NOT confirmed, with what is still live; `later` returns what is live, what follows and what to do.
 */
export async function followDeactivation(
  look: () => Promise<Missing> | Missing,
  later: () => string,
  { waitSeconds, waits = waitsOf(waitSeconds), show = printProgress }: Following = {},
): Promise<CommandResult> {
  const begun = performance.now()
  let [missing, changedAt] = [await look(), begun]
  let shown: Missing = null
  while (missing !== null) {
    if (missing !== shown) show((shown = missing))
    const now = performance.now()
    const [idleMs, allMs] = [now - changedAt, now - begun]
    if (idleMs >= waits.withoutProgressMs || allMs >= waits.inAllMs) {
      const seconds = Math.round(allMs / SECOND_MS)
      const answer = `NOT confirmed after ${seconds} s: ${missing}. ${later()}`
      return { exitCode: EXIT_CODE.unconfirmed, answer }
    }
    await pause(waits.lookMs)
    const seen = await look()
    if (seen !== missing) changedAt = performance.now()
    missing = seen
  }
  return { exitCode: EXIT_CODE.ok, answer: DEACTIVATED }
}
