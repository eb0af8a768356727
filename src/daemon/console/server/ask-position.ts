import type { PositionPort } from '../position-port.ts'
import { Refusal } from '../refusal.ts'

type Named = Pick<PositionPort, 'name'>

/** Returns the position of that name, or the only one if `name` is null. Throws a Refusal that lists the names. */
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

/** Returns the only position whose name differs in case alone; undefined = none, or more than one. */
function sameButForCase<Port extends Named>(positions: readonly Port[], name: string): Port | undefined {
  const lower = name.toLowerCase()
  const found = positions.filter((one) => one.name.toLowerCase() === lower)
  return found.length === 1 ? found[0] : undefined
}

/** Returns all positions if none is named and the request may apply to all, otherwise the one of `findPosition`. */
export function choosePositions<Port extends Named>(
  positions: readonly Port[],
  name: string | null,
  isForAll: boolean,
): readonly Port[] {
  return isForAll && name === null ? positions : [findPosition(positions, name)]
}

const MOST_NAMES = 20

/** Returns at most 20 names: no one reads an error that lists 500. */
function namesOf(positions: readonly Named[]): string {
  const names = positions.slice(0, MOST_NAMES).map(({ name }) => name)
  const more = positions.length - names.length
  if (names.length === 0) return 'none'
  return more === 0
    ? names.join(', ')
    : `${names.join(', ')} and ${more} more, which GET /api/v1/positions lists`
}

/** Resolves with the answer of `asked`, or with null if it fails (which is reported) or takes longer than `ms`. */
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
    // After the time limit nothing awaits this promise, but a later failure must still be handled.
    answer.catch(reportError)
    return await Promise.race([answer, late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
