import { session } from '../live/session.ts'

export type Reason = { readonly who: string; readonly why: string; readonly token: string }

/** What the form begins with: what this tab remembers. */
export function firstReason(): Reason {
  return { who: session.who(), why: '', token: '' }
}

type Props = { readonly reason: Reason; readonly onChange: (reason: Reason) => void }

/** Who gives the command and why, for the journal; and the token where this tab has none yet. */
export function WhoAndWhy({ reason, onChange }: Props) {
  return (
    <>
      <label>
        Who
        <input
          required
          maxLength={200}
          autocomplete="name"
          value={reason.who}
          onInput={(event) => onChange({ ...reason, who: event.currentTarget.value })}
        />
      </label>
      <label>
        Why
        <input
          required
          maxLength={500}
          autocomplete="off"
          value={reason.why}
          onInput={(event) => onChange({ ...reason, why: event.currentTarget.value })}
        />
      </label>
      {session.token() === null && (
        <label>
          Token
          <input
            type="password"
            required
            autocomplete="off"
            value={reason.token}
            onInput={(event) => onChange({ ...reason, token: event.currentTarget.value })}
          />
          <span class="note">
            http.token of the configuration. It stays in the session storage of this tab, goes along in a
            header, and is never part of an address.
          </span>
        </label>
      )}
    </>
  )
}

/** Keeps what this tab may remember of it. */
export function keepReason({ who, token }: Reason): void {
  session.keepWho(who.trim())
  if (token.trim() !== '') session.keepToken(token.trim())
}
