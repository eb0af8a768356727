import { useState } from 'preact/hooks'
import { registeredWords } from '../../../view/treasury/payee-words.ts'
import { transferCapWords } from '../../../view/treasury/transfer-cap-words.ts'
import { ConfirmPayeeDialog } from './confirm-payee-dialog.tsx'
import { Panel, Row } from '../panel.tsx'
import { capitalised, shownAge, shownDecimal, shownTime } from '../text.ts'
import { plainWords } from './intent-text.ts'
import type { ShownTreasury } from './use-treasury.ts'

type Props = { readonly view: ShownTreasury }

type PayeesProps = Props & { readonly takesCommands: boolean; readonly onDone: () => void }
type Payee = ShownTreasury['payees'][number]

/** The payees with their registered names and waiting times, and the use of the caps. */
export function PayeesPanel({ view, takesCommands, onDone }: PayeesProps) {
  const { payees, caps, now } = view
  const [confirmed, setConfirmed] = useState<Payee | null>(null)
  const close = () => {
    setConfirmed(null)
    onDone()
  }
  return (
    <Panel id="payees" class="treasury-half" title="Payees and caps">
      {payees.length === 0 && <p class="note">No payee is listed, so nothing is paid to outside accounts.</p>}
      <dl class="rows">
        {payees.map((payee) => (
          <Row key={payee.name} name={payee.name}>
            {payee.kind} {payee.account}, listed {shownAge(now - payee.listedAt)} ago
            <span class={payee.admittedAt === null ? 'warn' : 'unit'}>{admission(payee, now)}</span>
            {payee.registered !== null && <RegisteredName payee={payee} />}
            {takesCommands && isRenamed(payee) && (
              <button type="button" class="grave" onClick={() => setConfirmed(payee)}>
                Confirm the name
              </button>
            )}
          </Row>
        ))}
        {view.transferCaps !== null && (
          <Row name="Cap of the venue">{transferCapWords(view.transferCaps).join(', ')}</Row>
        )}
        {caps.map(({ route, destination, asset, day, month }, index) => (
          <Row key={index} name={`Cap, ${asset}`}>
            {plainWords(`${route ?? 'any route'} to ${destination ?? 'anyone'}`)}:{' '}
            {[usedText(day, '24 h'), usedText(month, '30 days')].filter((text) => text !== '').join(', ')}
          </Row>
        ))}
      </dl>
      {confirmed !== null && (
        <ConfirmPayeeDialog key={confirmed.name} payee={confirmed} position={view.position} onClose={close} />
      )}
    </Panel>
  )
}

function RegisteredName({ payee: { registered } }: { readonly payee: Payee }) {
  const { words, isFault } = registeredWords(registered)
  return <span class={isFault ? 'bad' : 'unit'}>{words}</span>
}

function isRenamed({ registered }: Payee): boolean {
  return registered !== null && registered.changedFrom !== null
}

function admission({ admittedAt, payableFrom }: Payee, now: number): string {
  if (admittedAt !== null) return 'any amount within the caps'
  return payableFrom > now
    ? `new: nothing before ${shownTime(payableFrom, now)}`
    : 'never paid: the first payout is a small one'
}

function usedText(used: ShownTreasury['caps'][number]['day'], span: string): string {
  return used === null ? '' : `${shownDecimal(used.used, 0)} of ${shownDecimal(used.limit, 0)} in ${span}`
}

const TERMS = ['opening', 'flows', 'trading', 'inventory', 'costs', 'unreconciled', 'value'] as const

/** The accounting identity over all places, and the backing of the token. */
export function IdentityPanel({ view }: Props) {
  const { identity, supply, exit, now } = view
  if (identity === null && exit === null && supply.alarm === null) return null
  return (
    <Panel
      id="identity"
      class="treasury-half"
      title="Where the value comes from"
      mark={identity !== null && <Residual {...identity} />}
    >
      <dl class="rows">
        {identity !== null &&
          TERMS.filter((term) => identity.tzs[term] !== '0' || term === 'value').map((term) => (
            <Row key={term} name={capitalised(term)}>
              {shownDecimal(identity.tzs[term], 0)} TZS, {shownDecimal(identity.usd[term], 2)} USD
            </Row>
          ))}
        {exit !== null && (
          <Row name="Could leave">
            {(exit.homeBps / 100).toFixed(1)} % now: {shownDecimal(exit.atHand, 0)} TZS at hand,{' '}
            {shownDecimal(exit.fromPool, 0)} from the pool
          </Row>
        )}
        {(supply.alarm !== null || supply.at !== null) && (
          <Row name="Supply" tone={supply.alarm === null ? '' : 'bad'}>
            {supply.alarm ??
              `${shownDecimal(supply.reported, 0)} NTZS, ${shownAge(now - (supply.at ?? now))} ago`}
          </Row>
        )}
      </dl>
    </Panel>
  )
}

function Residual({ tzs, usd }: NonNullable<ShownTreasury['identity']>) {
  if (tzs.residual === '0' && usd.residual === '0') return <span class="unit">the terms add up exactly</span>
  return (
    <span class="bad">
      {tzs.residual} TZS and {usd.residual} USD are not explained
    </span>
  )
}
