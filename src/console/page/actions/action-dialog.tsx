import { useState } from 'preact/hooks'
import type { PositionView } from '../../../view/position-view.ts'
import type { Action } from './actions-for.ts'
import { Dialog } from './dialog.tsx'
import { Outcome } from './outcome.tsx'
import { useAction } from './use-action.ts'
import { firstReason, keepReason, WhoAndWhy } from './who-and-why.tsx'

type Props = {
  readonly position: string
  readonly view: PositionView
  readonly action: Action
  readonly onClose: () => void
}

/** Says what an action will do, asks who and why, and shows the daemon's answer. */
export function ActionDialog({ position, view, action, onClose }: Props) {
  const [reason, setReason] = useState(firstReason)
  const [book, setBook] = useState('')
  const { state, send } = useAction()
  const isDone = state.phase === 'done'
  const isGap = Object.keys(view.completeness.unexplained).length > 0
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
        <option value="">nothing: it stays unexplained</option>
        <option>adjustment</option>
        <option>deposit</option>
        <option>withdrawal</option>
      </select>
    </label>
  )
}
