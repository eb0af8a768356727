import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 40

/**
 * Asks again and again until there is an answer that is neither false, null nor undefined; fails after
 * `withinMs` with what was waited for and what `otherwise` says of the state of things.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = 45_000, otherwise = () => '' }: { withinMs?: number; otherwise?: () => unknown } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== false && answer !== null && answer !== undefined)
      return answer as NonNullable<Exclude<T, false>>
    if (performance.now() > deadline) {
      const detail = await otherwise()
      throw new Error(
        `waited ${withinMs} ms in vain: ${what}\n${typeof detail === 'string' ? detail : JSON.stringify(detail)}`,
      )
    }
    await pause(LOOK_MS)
  }
}
