import { session } from '../live/ask-api.ts'
import { Dialog } from './dialog.tsx'
import { useState } from 'preact/hooks'

type TokenDialogProps = { readonly onDone: () => void; readonly onCancel: () => void }

/** The token of this tab: give it, or have it forgotten. */
export function TokenDialog({ onDone, onCancel }: TokenDialogProps) {
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
      <label>
        Token
        <input
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <p class="note">
        It is http.token of the configuration, or one of http.tokens; `mizani start` prints those of its
        demonstration. It stays in the session storage of this tab until the tab is closed, goes to this
        daemon in a header, and is never part of an address.
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
