import { afterAll, vi } from 'vitest'

const environment = { ...process.env }

/** What a file that shares its process with others must leave as it found it. Of variables only the names are printed. */
function shared(): ReadonlyMap<string, unknown> {
  const names = new Set([...Object.keys(environment), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => environment[name] !== process.env[name])
  return new Map<string, unknown>([
    [`variables of the environment: ${changed.join(', ')}`, true],
    ['process.exitCode', process.exitCode ?? 0],
    ['the working directory', process.cwd()],
    ['timers', vi.isFakeTimers()],
    // SES freezes the globals of the process in which a strategy is evaluated.
    ['frozen globals', Object.isFrozen(Object.prototype)],
    ['fetch', globalThis.fetch],
  ])
}

const found = shared()

/** Fails in the file that is to blame, and not in one that happens to run after it. */
afterAll(() => {
  const changed = [...shared()].filter(([name, now]) => found.get(name) !== now).map(([name]) => name)
  if (changed.length > 0)
    throw new Error(
      `this file changed what it shares with the other files of its process (${changed.join('; ')}): ` +
        'put it back, or move the file to test/isolated',
    )
})
