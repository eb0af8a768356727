import type { IntentView } from '../../../view/treasury/intent-view.ts'
import { registeredWords } from '../../../view/treasury/payee-words.ts'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { shownTime } from '../text.ts'
import { missingText, shownMoney } from './intent-text.ts'
import type { ShownTreasury } from './use-treasury.ts'

type Props = {
  readonly intent: IntentView
  readonly view: ShownTreasury
  readonly onClose: () => void
}

/** Shows what may happen at most and to whom, before it is approved. The envelope that is sent is the one that is shown. */
export function ApproveDialog({ intent, view, onClose }: Props) {
  const { envelope, registered, legs, id } = intent
  const { words, isFault } = registeredWords(registered)
  const payee = legs.find((leg) => leg.payee !== null)?.payee ?? null
  const listed = view.payees.find(({ name }) => name === payee)
  return (
    <ConfirmDialog
      title={`Approve ${shownMoney(envelope.mostSpent)} to ${envelope.destination}?`}
      label="Approve"
      isGrave
      command="treasury/approve"
      body={{ position: view.position, intent: id, envelope: envelope.text }}
      onClose={onClose}
    >
      <dl class="rows">
        <Line name="To">
          {payee === null
            ? `${envelope.destination}, our own`
            : `${payee}, ${listed?.account ?? 'not listed'}`}
        </Line>
        {payee !== null && listed?.kind !== 'address' && (
          <Line name="Name">
            <b class={isFault ? 'bad' : ''}>{words}</b>
          </Line>
        )}
        <Line name="Leaves">at most {shownMoney(envelope.mostSpent)}</Line>
        <Line name="Arrives">at least {shownMoney(envelope.leastReceived)}</Line>
        <Line name="Begun by">{shownTime(envelope.expiresAt, view.now)}</Line>
        <Line name="Approval">{missingText(intent, view.approvers)}</Line>
      </dl>
      <code class="envelope">{envelope.text}</code>
    </ConfirmDialog>
  )
}

function Line(props: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
