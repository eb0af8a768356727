import { randomUUID } from 'node:crypto'
import type { Contact } from '../../daemon/config/load/contact.ts'
import type { TreasuryOrderPath } from '../../daemon/console/treasury/treasury-bodies.ts'
import type { IntentView } from '../../daemon/view/treasury/intent-view.ts'
import { registeredWords } from '../../daemon/view/treasury/payee-words.ts'
import { timeText } from '../../base/text/times.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { contactOrExplain } from '../load-or-explain.ts'
import { commandDaemon, operatorName, refusedWithoutDaemon } from '../operator/daemon-client.ts'
import type { DaemonOptions } from '../options.ts'
import { confirmed } from '../output/confirm.ts'
import { fail, printOutcome, printStoreError, type OutputFormat } from '../output/print.ts'
import { treasuryOfDaemon } from './read-treasury.ts'
import { moneyWords } from './render.ts'

type OrderOptions = OutputFormat &
  DaemonOptions & {
    readonly reason: string
    readonly yes?: boolean
    readonly intent?: string
    readonly payee?: string
    readonly name?: string
    readonly token?: string
    readonly amount?: string
    readonly as?: string
    readonly received?: string
    readonly key?: string
  }

/** Sends an order to the treasury of the running daemon, which checks the token. Stopping needs no confirmation. */
export async function orderTreasury(path: TreasuryOrderPath | 'stop', options: OrderOptions): Promise<void> {
  const contact = await contactOrExplain(options, { isStop: path === 'stop' })
  if (contact === null) return
  await printStoreError(options, async () => {
    const { payee, token, amount, intent, as, received, name } = options
    if (path === 'payout') {
      const question = `Order a payout of ${amount ?? ''} ${token ?? ''} to ${payee ?? ''}? Another token has to approve it.`
      if (!(await confirmed(options, question))) return
      return send(contact, options, path, { payee, asset: token, amount })
    }
    if (path === 'confirm-payee') return send(contact, options, path, { payee, registeredName: name })
    if (path === 'resolve-claim') return send(contact, options, path, { intent, as, received })
    return send(contact, options, path, intent === undefined ? {} : { intent })
  })
}

/** Approves the envelope currently shown by the daemon, after a person has seen it with the registered name. */
export async function approveIntent(options: OrderOptions & { readonly intent: string }): Promise<void> {
  const contact = await contactOrExplain(options)
  if (contact === null) return
  await printStoreError(options, async () => {
    const read = (await treasuryOfDaemon(contact)) ?? { exitCode: EXIT_CODE.refused, why: NO_DAEMON }
    if ('why' in read) return fail(options, read.exitCode, read.why)
    const found = read.view.intents.filter(({ id }) => id.startsWith(options.intent))
    const [intent] = found
    if (intent === undefined || found.length > 1) {
      const why = intent === undefined ? 'there is no open intent' : 'there are several intents'
      return fail(options, EXIT_CODE.refused, `${why} ${options.intent}: see \`mizani treasury status\``)
    }
    if (!(await confirmed(options, questionOf(intent)))) return
    await send(contact, options, 'approve', { intent: intent.id, envelope: intent.envelope.text })
  })
}

/** Returns the question of an approval: maximum outflow, minimum arrival, payee, expiry. */
export function questionOf({ envelope, registered, legs, route }: IntentView): string {
  const payee = legs.find((leg) => leg.payee !== null)?.payee ?? null
  const to = payee === null ? envelope.destination : `${payee} (${registeredWords(registered).words})`
  return [
    `Approve ${route}: at most ${moneyWords(envelope.mostSpent)} leave, at least ${moneyWords(envelope.leastReceived)} arrive at ${to}, begun by ${timeText(envelope.expiresAt)}.`,
    `Envelope: ${envelope.text}`,
    'It cannot be called back once it was sent.',
  ].join('\n')
}

const NO_DAEMON = 'no daemon shows it, so nothing is sent; only a daemon checks tokens: start `run` first'

async function send(
  contact: Contact,
  options: OrderOptions,
  path: TreasuryOrderPath | 'stop',
  body: object,
): Promise<void> {
  const key = options.key ?? randomUUID()
  const why = path === 'approve' ? {} : { why: options.reason }
  const command = `treasury/${path}` as const
  const given = { who: operatorName(), ...why, ...body }
  const outcome = await commandDaemon(contact, command, given, { 'idempotency-key': key })
  printOutcome(options, outcome ?? refusedWithoutDaemon(contact, command, NO_DAEMON))
}
