/** It goes into the journal, the log and to people. */
const MAX_LENGTH = 500

/** What was thrown, in words. A strategy may throw anything, also what cannot be put into words. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown).slice(0, MAX_LENGTH)
  } catch {
    return 'something that has no text'
  }
}
