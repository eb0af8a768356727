import { useState } from 'preact/hooks'
import type { LivePosition } from '../live/live-state.ts'
import { type Action, actionsFor, bookableGap } from './actions-for.ts'
import { ParametersDialog } from './parameters-editor.tsx'
import type { PositionView } from '../../../view/position-view.ts'
import { SelectField, TextField } from '../fields.tsx'
import { Row } from '../panel.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type ActionBarProps = {
  readonly position: LivePosition
  readonly takesCommands: boolean
  readonly stale: boolean
}

/** The actions for this position. Every button opens a dialog; a single click changes nothing. */
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
        <span class="note">
          The data shown is outdated; an action is still sent and applies to the current state.
        </span>
      )}
      {open === 'parameters' && <ParametersDialog position={name} onClose={close} />}
      {open !== null && open !== 'parameters' && (
        <ActionDialog position={name} view={view} action={open} onClose={close} />
      )}
    </div>
  )
}

/** Why the position does not trade; renders nothing without a reason. */
function Reasons({ reasons }: { readonly reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <div class="reasons">
      <h3>Why it does not trade</h3>
      <ul>
        {reasons.map((why) => (
          <li key={why}>{why}</li>
        ))}
      </ul>
    </div>
  )
}

function PendingNote({ reconciliation: { state, why } }: Pick<PositionView, 'reconciliation'>) {
  if (state !== 'pending') return null
  return (
    <p class="note">
      The ledger is still being compared with the venue’s balances: {why}. Wait until it is reconciled; a
      difference that remains can be booked here.
    </p>
  )
}

type ActionDialogProps = {
  readonly position: string
  readonly view: PositionView
  readonly action: Action
  readonly onClose: () => void
}

/** The dialog of an action, with its reasons and the fields that it needs. */
function ActionDialog({ position, view, action, onClose }: ActionDialogProps) {
  const [book, setBook] = useState('')
  const [acceptMid, setAcceptMid] = useState('')
  const { name, label, isGrave, effect } = action
  const gap = bookableGap(view)
  const isMid = name === 'acceptMid'
  const body = {
    position,
    ...(book === '' ? {} : { book, expect: gap }),
    ...(isMid ? { acceptMid: acceptMid.trim() } : {}),
  }
  return (
    <ConfirmDialog
      title={`${label} ${isMid ? 'of ' : ''}${position}?`}
      label={label}
      isGrave={isGrave}
      command={isMid ? 'resume' : name}
      body={body}
      onClose={onClose}
      fields={
        <>
          {name === 'resume' && <PendingNote reconciliation={view.reconciliation} />}
          {name === 'resume' && gap !== '' && (
            <SelectField
              label={`Balances and ledger differ by ${gap}, which is booked as`}
              value={book}
              onChange={setBook}
              options={[['', 'nothing: it stays unreconciled'], 'adjustment', 'deposit', 'withdrawal']}
            />
          )}
          {/* Typed and not filled in: a person compares it with another source. */}
          {isMid && (
            <TextField
              label="The mid that you vouch for, TZS per USD"
              note="Type the value that another source shows. Where another one waits, the daemon refuses."
              required
              inputMode="decimal"
              value={acceptMid}
              onChange={setAcceptMid}
            />
          )}
        </>
      }
    >
      <p>{effect}</p>
      {isMid && (
        <dl class="rows">
          <Row name="In force">{view.mid ?? 'none'}</Row>
          <Row name="Waiting">{view.pendingMid ?? 'no longer waiting'}</Row>
        </dl>
      )}
      {name === 'resume' && <Reasons reasons={view.reasons} />}
    </ConfirmDialog>
  )
}
