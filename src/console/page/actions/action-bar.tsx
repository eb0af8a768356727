import { useState } from 'preact/hooks'
import type { LivePosition } from '../live/live-state.ts'
import { ActionDialog } from './action-dialog.tsx'
import { actionsFor, type Action } from './actions-for.ts'
import { ParametersDialog } from './parameters-dialog.tsx'

type Props = {
  readonly position: LivePosition
  readonly takesCommands: boolean
  readonly stale: boolean
}

/** What a person can do about this position. Every button opens a dialog; nothing happens on one click. */
export function ActionBar({ position, takesCommands, stale }: Props) {
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
