import { mutate, VICIOUS } from '../../property/venue/any-answer.ts'
import type { Dice } from '../../world/dice.ts'

const STATUSES = [200, 200, 200, 200, 207, 204, 302, 400, 401, 403, 404, 408, 409, 418, 429, 500, 502, 503]

/** Spoils one part of a JSON value in so many places, as the dice say; the value stays as it was. */
export function spoilBody(body: unknown, dice: Dice): unknown {
  let spoilt = structuredClone(body)
  for (let times = dice.between(1, 3); times > 0; times--) {
    const path = Array.from({ length: dice.between(0, 4) }, () => dice.between(0, 50))
    const value = dice.happens(0.8) ? dice.pick(VICIOUS) : drawText(dice)
    spoilt = mutate(spoilt, path, dice.between(0, 3), structuredClone(value), drawText(dice))
  }
  return spoilt
}

/** Cut off, or with characters that were never sent. */
export function spoilText(text: string, dice: Dice): string {
  const at = dice.between(0, text.length)
  return dice.happens(0.5) ? text.slice(0, at) : `${text.slice(0, at)}${drawText(dice)}${text.slice(at)}`
}

export function spoilStatus(dice: Dice): number {
  return dice.pick(STATUSES)
}

/** One that states no refusal: a venue that refuses what it has done is believed, as it has to be. */
export function openStatus(dice: Dice): number {
  return dice.pick([200, 204, 207, 302, 500, 502, 503])
}

function drawText(dice: Dice): string {
  return Array.from({ length: dice.between(0, 12) }, () => String.fromCodePoint(dice.between(0, 0x2ff))).join(
    '',
  )
}
