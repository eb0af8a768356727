import type { PositionPort } from './position-port.ts'
import { Refusal } from './refusal.ts'

/** The position of that name, or the only one where none is named. Throws a Refusal that lists the names. */
export function findPosition(positions: readonly PositionPort[], name: string | null): PositionPort {
  const names = positions.map((position) => position.name).join(', ')
  if (name === null) {
    const [only] = positions
    if (only !== undefined && positions.length === 1) return only
    throw new Refusal(400, 'which-position', `say which position: one of ${names}`)
  }
  const found = positions.find((position) => position.name === name)
  if (found === undefined) {
    throw new Refusal(404, 'no-such-position', `there is no position of that name here; there is ${names}`)
  }
  return found
}
