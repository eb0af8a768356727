/** Minute, hour, day of the month, month, day of the week (0 and 7 are Sunday): least and greatest number. */
const FIELDS = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day of the month', 1, 31],
  ['month', 1, 12],
  ['day of the week', 0, 7],
] as const

const PART = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/

/** What is wrong with five fields of cron, in a sentence; null = nothing. Numbers alone: no names, no seconds. */
export function cronProblem(text: string): string | null {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== FIELDS.length)
    return `${fields.length} fields where cron has 5; '0 18 * * 5' (Fridays at 18:00) would be right`
  for (const [index, [name, least, greatest]] of FIELDS.entries()) {
    const written = fields[index] ?? ''
    if (!written.split(',').every((part) => isPart(part, least, greatest)))
      return `'${written}' is no ${name}; * or numbers from ${least} to ${greatest} (1,15 or 1-5 or */10) would be right`
  }
  return null
}

function isPart(part: string, least: number, greatest: number): boolean {
  const match = PART.exec(part)
  if (match === null) return false
  const [, from, to, step] = match
  const [first, last] = [from === undefined ? least : Number(from), to === undefined ? null : Number(to)]
  if (first < least || first > greatest) return false
  if (last !== null && (last < first || last > greatest)) return false
  return step === undefined || Number(step) > 0
}
