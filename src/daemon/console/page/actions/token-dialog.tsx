import { TextField } from '../fields.tsx'
import { session } from '../live/ask-api.ts'
import { Dialog } from './dialog.tsx'
import { useState } from 'preact/hooks'

type TokenDialogProps = { readonly onDone: () => void; readonly onCancel: () => void }

/** Takes the token of this tab, or discards it. */
export function TokenDialog({ onDone, onCancel }: TokenDialogProps) {
  return (
    <Dialog title="Access key" onClose={onCancel}>
      {session.token() === null ? (
        <TokenForm onDone={onDone} onCancel={onCancel} />
      ) : (
        <>
          <p>This tab has an access key. It is forgotten when the tab is closed.</p>
          <div class="buttons">
            <button type="button" onClick={onCancel}>
              Back
            </button>
            <button type="button" class="primary" onClick={() => (session.forgetToken(), onDone())}>
              Forget it now
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

type TokenFormProps = { readonly onDone: () => void; readonly onCancel?: () => void }

/** Asks for the token once. */
export function TokenForm({ onDone, onCancel }: TokenFormProps) {
  const [token, setToken] = useState('')
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault()
        session.keepToken(token.trim())
        onDone()
      }}
    >
      <TextField label="Access key" type="password" required value={token} onChange={setToken} />
      <p class="note">
        Open the address that `mizani start` or `mizani console` prints: it signs a browser on the same
        machine in. Elsewhere give the value of http.token in the configuration, or one of http.tokens. It
        stays in the session storage of this tab until the tab is closed and goes to this daemon in a header.
      </p>
      <div class="buttons">
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            Back
          </button>
        )}
        <button type="submit" class="primary">
          Keep for this tab
        </button>
      </div>
    </form>
  )
}
