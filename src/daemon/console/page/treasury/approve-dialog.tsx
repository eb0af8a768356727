import type { IntentView } from '../../../view/treasury/intent-view.ts'
import { registeredWords } from '../../../view/treasury/payee-words.ts'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { Row } from '../panel.tsx'
import { shownTime } from '../text.ts'
import { missingText, shownMoney } from './intent-text.ts'
import type { ShownTreasury } from './use-treasury.ts'

type Props = {
  readonly intent: IntentView
  readonly view: ShownTreasury
  readonly onClose: () => void
}

/** Shows the maximum amount and the recipient before an approval. The request carries the envelope shown here. */
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
        <Row name="To">
          {payee === null
            ? `${envelope.destination}, our own`
            : `${payee}, ${listed?.account ?? 'not listed'}`}
        </Row>
        {payee !== null && listed?.kind !== 'address' && (
          <Row name="Name">
            <b class={isFault ? 'bad' : ''}>{words}</b>
          </Row>
        )}
        <Row name="Leaves">at most {shownMoney(envelope.mostSpent)}</Row>
        <Row name="Arrives">at least {shownMoney(envelope.leastReceived)}</Row>
        <Row name="Begun by">{shownTime(envelope.expiresAt, view.now)}</Row>
        <Row name="Approval">{missingText(intent, view.approvers)}</Row>
      </dl>
      <code class="envelope">{envelope.text}</code>
    </ConfirmDialog>
  )
}
