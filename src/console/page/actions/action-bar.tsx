import { useState } from 'preact/hooks'
import type { LivePosition } from '../live/live-state.ts'
import { type Action, actionsFor } from './actions-for.ts'
import { ParametersDialog } from './parameters-editor.tsx'
import type { PositionView } from '../../../view/position-view.ts'
import { Dialog, firstReason, keepReason, Outcome, useAction, WhoAndWhy } from './dialog.tsx'

type ActionBarProps = {
  readonly position: LivePosition
  readonly takesCommands: boolean
  readonly stale: boolean
}

/** What a person can do about this position. Every button opens a dialog; nothing happens on one click. */
export function ActionBar({ position, takesCommands, stale }: ActionBarProps) {
  const [open, setOpen] = useState<Action | 'parameters' | null>(null)
  const { view, name } = position
  if (view === null) return null
  if (!takesCommands) {
    return (
      <p class="note actions">
        This page only shows: commands are off until http.token is set in the configuration.
      </p>
    )
  }
  const close = () => setOpen(null)
  return (
    <div class="actions" role="group" aria-label="Actions">
      {actionsFor(view).map((action) => (
        <button
          key={action.name}
          type="button"
          class={action.isGrave ? 'grave' : ''}
          onClick={() => setOpen(action)}
        >
          {action.label}
        </button>
      ))}
      <button type="button" onClick={() => setOpen('parameters')}>
        Parameters
      </button>
      {stale && (
        <span class="note">What you see is old; an action still goes to the daemon as it is now.</span>
      )}
      {open === 'parameters' && <ParametersDialog position={name} onClose={close} />}
      {open !== null && open !== 'parameters' && (
        <ActionDialog position={name} view={view} action={open} onClose={close} />
      )}
    </div>
  )
}

type ActionDialogProps = {
  readonly position: string
  readonly view: PositionView
  readonly action: Action
  readonly onClose: () => void
}

/** Says what an action will do, asks who and why, and shows the daemon's answer. */
function ActionDialog({ position, view, action, onClose }: ActionDialogProps) {
  const [reason, setReason] = useState(firstReason)
  const [book, setBook] = useState('')
  const { state, send } = useAction()
  const isDone = state.phase === 'done'
  const isGap = Object.keys(view.reconciliation.unreconciled).length > 0
  const submit = (event: Event) => {
    event.preventDefault()
    keepReason(reason)
    send(action.name, {
      position,
      who: reason.who.trim(),
      why: reason.why.trim(),
      ...(book === '' ? {} : { book }),
    })
  }
  return (
    <Dialog title={`${action.label} ${position}?`} onClose={onClose}>
      <p>{action.effect}</p>
      {action.name === 'resume' && view.reasons.length > 0 && <Halted reasons={view.reasons} />}
      <form onSubmit={submit}>
        {!isDone && (
          <fieldset disabled={state.phase === 'sending'}>
            <legend class="unseen">For the journal</legend>
            {action.name === 'resume' && isGap && <Book book={book} onChange={setBook} />}
            <WhoAndWhy reason={reason} onChange={setReason} />
          </fieldset>
        )}
        <Outcome state={state} />
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {isDone ? 'Close' : 'Back'}
          </button>
          {!isDone && (
            <button
              type="submit"
              class={action.isGrave ? 'primary grave' : 'primary'}
              disabled={state.phase === 'sending'}
            >
              {state.phase === 'sending' ? 'Waiting for the daemon' : action.label}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function Halted({ reasons }: { readonly reasons: readonly string[] }) {
  return (
    <div class="reasons">
      <h3>Why it stands still</h3>
      <ul>
        {reasons.map((why) => (
          <li key={why}>{why}</li>
        ))}
      </ul>
    </div>
  )
}

function Book({ book, onChange }: { readonly book: string; readonly onChange: (book: string) => void }) {
  return (
    <label>
      What cannot be explained is booked as
      <select value={book} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">nothing: it stays unreconciled</option>
        <option>adjustment</option>
        <option>deposit</option>
        <option>withdrawal</option>
      </select>
    </label>
  )
}
