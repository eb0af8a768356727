const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

/** How long something took or is ago: '4 s', '12 min', '2 h 5 min', '3 d 4 h'. Null = not known. */
export function ageText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return '–'
  const age = Math.max(0, ms)
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  if (age < DAY) return two(age, HOUR, 'h', MINUTE, 'min')
  return two(age, DAY, 'd', HOUR, 'h')
}

function two(age: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((age % large) / small)
  return `${Math.floor(age / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`
}
