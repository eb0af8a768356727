/** Returns the entry of each position in a guard's file, by name; null = the file is not of this version. */
export function parsePositions(text: string, version: number): ReadonlyMap<string, unknown> | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  const { version: written, positions } = (parsed ?? {}) as Readonly<Record<string, unknown>>
  if (written !== version || typeof positions !== 'object' || positions === null) return null
  return new Map(Object.entries(positions))
}
