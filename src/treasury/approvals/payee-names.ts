import { MINUTE_MS, type Ms } from '../../base/time.ts'
import type { TreasuryState } from '../state.ts'
import type { TreasuryTransition } from '../transition.ts'
import type { TreasuryEventOf } from '../model/event.ts'
import { hasLeft, type Intent, type Leg } from '../model/intent.ts'
import { payeeAccountOf } from './payees.ts'
import { isSameName } from './registered-name.ts'

/** After this long a look-up counts as lost with the shell's process, and is requested again. */
const ASK_AGAIN_MS = 2 * MINUTE_MS

/** Requests the registered name of the account that an intent pays, once. Returns the time of the next call. */
export function askForName({ now, send }: TreasuryTransition, { id, naming, legs }: Intent): Ms {
  if (naming === undefined || naming.answer !== null) return Infinity
  if (naming.askedAt === null || now >= naming.askedAt + ASK_AGAIN_MS) {
    naming.askedAt = now
    send({ type: 'namePayee', intent: id, leg: legs.findIndex(({ payee }) => payee !== null) })
  }
  return naming.askedAt + ASK_AGAIN_MS
}

/**
 * Handles the registered name that the venue reported. The first known name stays the expected one; a person must
 * review a different name later. An unknown name changes nothing.
 */
export function takePayeeName(
  { state, now, alert }: TreasuryTransition,
  event: TreasuryEventOf<'payeeNamed'>,
): void {
  const { payee, to, name, note } = event
  const intent = Object.hasOwn(state.intents, event.intent) ? state.intents[event.intent] : undefined
  const answer = { name, note, at: now }
  if (intent?.naming !== undefined) intent.naming.answer = answer
  const age = Object.hasOwn(state.payees, payee) ? state.payees[payee] : undefined
  if (age === undefined || age.to !== to) return
  age.registered = answer
  if (name === null) return
  age.knownAs ??= name
  if (isSameName(age.knownAs, name)) {
    delete age.renamedTo
    return
  }
  const isKnown = age.renamedTo !== undefined && isSameName(age.renamedTo, name)
  age.renamedTo = name
  if (isKnown) return
  const account = payeeAccountOf(state.config, payee)
  alert(
    'treasury-payee-renamed',
    `${payee} (${account}) is now registered as ${JSON.stringify(name)}, before as ${JSON.stringify(age.knownAs)}: nothing is paid to it until a person has confirmed the name`,
    intent?.id,
  )
}

/** Returns why the payee's name blocks a leg and its approval; null = it does not. */
export function nameObstacle(state: TreasuryState, intent: Intent, leg: Leg): string | null {
  // Money that has left our places returns to the market or to our own places, regardless of the payee.
  if (leg.payee === null && hasLeft(intent)) return null
  for (const { payee } of intent.legs) {
    const age = payee !== null && Object.hasOwn(state.payees, payee) ? state.payees[payee] : undefined
    if (age?.renamedTo !== undefined)
      return `${payee} is now registered as ${JSON.stringify(age.renamedTo)}, before as ${JSON.stringify(age.knownAs)}: confirm the payee first, or cancel it`
  }
  return intent.naming?.answer === null
    ? 'the registered name of its payee is being looked up: look again in a moment'
    : null
}
