import type { Changes } from './with-changes.ts'

/** Later changes over earlier ones: setting a branch forgets what was set below it. */
export function mergeChanges(earlier: Changes, later: Changes): Changes {
  const paths = Object.keys(later)
  const kept = Object.entries(earlier).filter(
    ([path]) => !paths.some((set) => path === set || path.startsWith(`${set}.`)),
  )
  return { ...Object.fromEntries(kept), ...later }
}
