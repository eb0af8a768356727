import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { TextField } from '../fields.tsx'
import { askApi, newIdempotencyKey, session } from '../live/ask-api.ts'

type DialogProps = {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog of the browser: it keeps the focus inside, closes on Escape, and gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

type Reason = { readonly who: string; readonly why: string; readonly token: string }

/** The initial values of the form, remembered by this tab. */
export function firstReason(): Reason {
  return { who: session.who(), why: '', token: '' }
}

type WhoAndWhyProps = {
  readonly reason: Reason
  readonly onChange: (reason: Reason) => void
  readonly isOptional?: boolean
}

/** The fields for who and why, for the journal, and for the access key. */
export function WhoAndWhy({ reason, onChange, isOptional = false }: WhoAndWhyProps) {
  const optional = isOptional ? ' (optional)' : ''
  return (
    <>
      <TextField
        label={`Who${optional}`}
        required={!isOptional}
        maxLength={200}
        autocomplete="name"
        value={reason.who}
        onChange={(who) => onChange({ ...reason, who })}
      />
      <TextField
        label={`Why${optional}`}
        required={!isOptional}
        maxLength={500}
        value={reason.why}
        onChange={(why) => onChange({ ...reason, why })}
      />
      <KeyField reason={reason} onChange={onChange} />
    </>
  )
}

/** The field for the access key if this tab has none yet. */
export function KeyField({ reason, onChange }: Omit<WhoAndWhyProps, 'isOptional'>) {
  if (session.token() !== null) return null
  return (
    <TextField
      label="Access key"
      note={
        <>
          http.token of the configuration; the address that `mizani console` prints brings it. It stays in the
          session storage of this tab and is sent in a header.
        </>
      }
      type="password"
      required
      value={reason.token}
      onChange={(token) => onChange({ ...reason, token })}
    />
  )
}

/** Keeps what this tab may remember of it. */
export function keepReason({ who, token }: Reason): void {
  session.keepWho(who.trim())
  if (token.trim() !== '') session.keepToken(token.trim())
}

type ActionEndProps = {
  readonly state: ActionState
  /** Of the button that sends. */
  readonly label: string
  readonly isGrave?: boolean
  readonly onClose: () => void
}

/** The daemon's answer, verbatim, and the buttons to send and close. */
export function ActionEnd({ state, label, isGrave = false, onClose }: ActionEndProps) {
  const isDone = state.phase === 'done'
  const isSending = state.phase === 'sending'
  return (
    <>
      <div role="alert" class="outcome">
        {state.phase === 'failed' && <p class="bad">{state.message}</p>}
        {state.phase === 'done' && <p class={state.isConfirmed ? 'good' : 'bad'}>{state.answer}</p>}
      </div>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {isDone ? 'Close' : 'Back'}
        </button>
        {!isDone && (
          <button type="submit" class={isGrave ? 'primary grave' : 'primary'} disabled={isSending}>
            {isSending ? 'Waiting for the daemon' : label}
          </button>
        )}
      </div>
    </>
  )
}

type ActionState =
  | { readonly phase: 'asking' }
  | { readonly phase: 'sending' }
  | { readonly phase: 'done'; readonly answer: string; readonly isConfirmed: boolean }
  | { readonly phase: 'failed'; readonly message: string }

type Sender = {
  readonly state: ActionState
  readonly send: (command: string, body: object) => void
}

type Answer = {
  readonly answer?: string
  readonly confirmed?: boolean
  readonly positions?: readonly { readonly position: string; readonly answer: string }[]
}

function answerText({ answer, positions = [] }: Answer): string {
  return answer ?? (positions.map((one) => `${one.position}: ${one.answer}`).join(' ') || 'accepted')
}

/**
 * Sends one action. Its name stays the same while it is tried again unchanged, so that an action whose
 * answer was lost is done once; an action that was refused gets a new one.
 */
export function useAction(): Sender {
  const [state, setState] = useState<ActionState>({ phase: 'asking' })
  const tried = useRef({ text: '', key: '' })

  async function send(command: string, body: object): Promise<void> {
    const text = command + JSON.stringify(body)
    if (tried.current.text !== text) tried.current = { text, key: newIdempotencyKey() }
    setState({ phase: 'sending' })
    const answer = await askApi<Answer>(command, { body, idempotencyKey: tried.current.key })
    if (answer.ok)
      return setState({
        phase: 'done',
        answer: answerText(answer.value),
        isConfirmed: answer.value.confirmed !== false,
      })
    const { status, message } = answer.error
    if (status === 401) session.forgetToken()
    if (status !== 0) tried.current = { text: '', key: '' }
    setState({ phase: 'failed', message })
  }

  return { state, send: (command, body) => void send(command, body) }
}
