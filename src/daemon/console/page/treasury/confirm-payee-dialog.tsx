import type { PayeeView } from '../../../view/treasury/payee-view.ts'
import { registeredWords } from '../../../view/treasury/payee-words.ts'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'

type Props = { readonly payee: PayeeView; readonly position: string; readonly onClose: () => void }

/** Confirms that the account of a payee is now registered under another name. The request carries the name shown here. */
export function ConfirmPayeeDialog({ payee, position, onClose }: Props) {
  const { name, kind, account, registered } = payee
  return (
    <ConfirmDialog
      title={`Confirm the other name of ${name}?`}
      label="Confirm the name"
      isGrave
      command="treasury/confirm-payee"
      body={{ position, payee: name, registeredName: registered?.name ?? '' }}
      onClose={onClose}
    >
      <p>
        {kind} {account}: <b class="bad">{registeredWords(registered).words}</b>
      </p>
      <p>
        Ask the payee first, over a different channel from the message that announced it. It then counts as a
        new payee: what waits for it is cancelled, it receives nothing for 24 hours, and a small payout first.
      </p>
    </ConfirmDialog>
  )
}
