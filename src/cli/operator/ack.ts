import { isPositionNotice } from '../../core/alerts/position-notices.ts'
import type { Contact } from '../../daemon/config/load/contact.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { acknowledgeAtGuard } from '../guard/ask.ts'
import { contactOrExplain } from '../load-or-explain.ts'
import { type Outcome, printOutcome, printStoreError } from '../output/print.ts'
import { commandDaemon, operatorName, refusedWithoutDaemon } from './daemon-client.ts'
import { type OneOrAll, reasonText } from './operate.ts'
import { operateFleet } from './operate-fleet.ts'

/**
 * Acknowledges an alert by its code, or all (null), of one position or of every position of a fleet: at its daemon,
 * and at its guard, which has separate alerts and repeats them even without a daemon.
 */
export async function ack(code: string | null, options: OneOrAll): Promise<void> {
  const { fleet, reason } = options
  await printStoreError(options, async () => {
    if (fleet !== undefined)
      return operateFleet(fleet, options, { send: (contact) => acknowledge(contact, code, reason) })
    const contact = await contactOrExplain(options)
    if (contact !== null) printOutcome(options, await acknowledge(contact, code, reason))
  })
}

async function acknowledge(contact: Contact, code: string | null, reason: string): Promise<Outcome> {
  const body = { who: operatorName(), why: reasonText(reason), code }
  const [ofDaemon, ofGuard] = await Promise.all([
    commandDaemon(contact, 'ack', body),
    isOfGuard(code) ? acknowledgeAtGuard(contact, body) : null,
  ])
  if (ofDaemon !== null && ofGuard !== null) return both(ofDaemon, ofGuard)
  const answer =
    'no daemon runs and no guard answers, so nothing is repeated; docs/first-aid.md is for a daemon that is gone'
  return ofDaemon ?? ofGuard ?? refusedWithoutDaemon(contact, 'ack', answer)
}

/** Returns whether the code may be an alert of the guard; all of its codes are notices of a position. */
function isOfGuard(code: string | null): boolean {
  return code === null || (isPositionNotice(code) && code.startsWith('guard-'))
}

/** Combines the answers of daemon and guard: the command is refused only if neither has the alert. */
function both(ofDaemon: Outcome, ofGuard: Outcome): Outcome {
  if (ofGuard.exitCode !== EXIT_CODE.ok) return ofDaemon
  if (ofDaemon.exitCode !== EXIT_CODE.ok) return ofGuard
  return { ...ofDaemon, answer: `${ofDaemon.answer}; ${ofGuard.answer}` }
}
