/** What was thrown, in words. A strategy may throw anything, also what cannot be put into words. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return 'something that has no text'
  }
}
