import { setTimeout as pause } from 'node:timers/promises'

/** A look costs a daemon and its test some milliseconds of computing: what takes longer than a second is looked at less often. */
const SOON_MS = 1_000
const POLL_MS = { soon: 80, later: 200 } as const

/** A machine that is too busy to look this often is too busy for what is waited for as well. */
const LEAST_LOOKS = 0.6
const LONGEST_TIMES = 4

/**
 * Asks again and again until there is an answer that is neither false, null nor undefined; fails after
 * `withinMs` with what was waited for and what `otherwise` says of the state of things. On a machine that is busy
 * with other work it waits until it has looked as often as on a quiet one, up to four times as long.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = 60_000, otherwise = () => '' }: { withinMs?: number; otherwise?: () => unknown } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const began = performance.now()
  let lookedMs = 0
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as NonNullable<Exclude<T, false>>
    const waitedMs = performance.now() - began
    const pauseMs = waitedMs < SOON_MS ? POLL_MS.soon : POLL_MS.later
    lookedMs += pauseMs
    const looked = lookedMs >= LEAST_LOOKS * withinMs
    if ((looked && waitedMs > withinMs) || waitedMs > LONGEST_TIMES * withinMs) {
      const detail = await otherwise()
      throw new Error(
        `waited ${Math.round(waitedMs)} ms in vain: ${what}\n${typeof detail === 'string' ? detail : JSON.stringify(detail)}`,
      )
    }
    await pause(pauseMs)
  }
}
