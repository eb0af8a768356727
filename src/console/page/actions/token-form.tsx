import { useState } from 'preact/hooks'
import { session } from '../live/session.ts'

type Props = { readonly onDone: () => void; readonly onCancel?: () => void }

/** Asks for the token once. */
export function TokenForm({ onDone, onCancel }: Props) {
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
        It is http.token of the configuration. It stays in the session storage of this tab until the tab is
        closed, goes to this daemon in a header, and is never part of an address.
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
