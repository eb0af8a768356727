import type { PositionPort } from '../position-port.ts'
import { Refusal } from '../refusal.ts'

type Named = Pick<PositionPort, 'name'>

/** The position of that name, or the only one where none is named. Throws a Refusal that lists the names. */
export function findPosition<Port extends Named>(positions: readonly Port[], name: string | null): Port {
  const names = namesOf(positions)
  if (name === null) {
    const [only] = positions
    if (only !== undefined && positions.length === 1) return only
    throw new Refusal(400, 'which-position', `say which position: one of ${names}`)
  }
  const found = positions.find((one) => one.name === name) ?? sameButForCase(positions, name)
  if (found === undefined) {
    throw new Refusal(404, 'no-such-position', `there is no position of that name here; there is ${names}`)
  }
  return found
}

/** Names that differ in case alone are two positions: then only the exact one is meant. */
function sameButForCase<Port extends Named>(positions: readonly Port[], name: string): Port | undefined {
  const lower = name.toLowerCase()
  const found = positions.filter((one) => one.name.toLowerCase() === lower)
  return found.length === 1 ? found[0] : undefined
}

/** What goes to all positions where none is named, or else wants a name where there are several. Throws as `findPosition`. */
export function choosePositions<Port extends Named>(
  positions: readonly Port[],
  name: string | null,
  isForAll: boolean,
): readonly Port[] {
  return isForAll && name === null ? positions : [findPosition(positions, name)]
}

const MOST_NAMES = 20

/** At most 20 of them: an error that lists five hundred is not read. */
function namesOf(positions: readonly Named[]): string {
  const names = positions.slice(0, MOST_NAMES).map(({ name }) => name)
  const more = positions.length - names.length
  if (names.length === 0) return 'none'
  return more === 0
    ? names.join(', ')
    : `${names.join(', ')} and ${more} more, which GET /api/v1/positions lists`
}

/** What `asked` answers, or null when it fails (which is reported) or takes longer than `ms`. */
export async function within<T>(
  ms: number,
  asked: () => Promise<T>,
  reportError: (error: unknown) => void,
): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  try {
    const answer = (async () => asked())()
    // When the time is up no one waits for this any longer, and a later failure still has to be handled.
    answer.catch(reportError)
    return await Promise.race([answer, late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
