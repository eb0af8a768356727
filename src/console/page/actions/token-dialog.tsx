import { session } from '../live/session.ts'
import { Dialog } from './dialog.tsx'
import { TokenForm } from './token-form.tsx'

type Props = { readonly onDone: () => void; readonly onCancel: () => void }

/** The token of this tab: give it, or have it forgotten. */
export function TokenDialog({ onDone, onCancel }: Props) {
  if (session.token() === null) {
    return (
      <Dialog title="Token" onClose={onCancel}>
        <TokenForm onDone={onDone} onCancel={onCancel} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Token" onClose={onCancel}>
      <p>This tab has a token. It is forgotten when the tab is closed.</p>
      <div class="buttons">
        <button type="button" onClick={onCancel}>
          Back
        </button>
        <button type="button" class="primary" onClick={() => (session.forgetToken(), onDone())}>
          Forget it now
        </button>
      </div>
    </Dialog>
  )
}
