import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { STOP_PATHS } from '../../commands/operator-commands.ts'
import { Dialog, firstReason, keepReason, ActionEnd, useAction, WhoAndWhy } from './dialog.tsx'

type ConfirmDialogProps = {
  readonly title: string
  /** The label of the button that sends the command. */
  readonly label: string
  readonly isGrave: boolean
  /** The command's API name, and the fields of its body besides who and why. */
  readonly command: string
  readonly body: object
  readonly onClose: () => void
  /** The effect of the command. */
  readonly children: ComponentChildren
  /** Further fields of the form. */
  readonly fields?: ComponentChildren
}

/** States what a command will do, takes who and why, sends it, and shows the daemon's answer. */
export function ConfirmDialog({
  title,
  label,
  isGrave,
  command,
  body,
  onClose,
  children,
  fields,
}: ConfirmDialogProps) {
  const [reason, setReason] = useState(firstReason)
  const { state, send } = useAction()
  // A stop needs neither who nor why.
  const isStop = (STOP_PATHS as readonly string[]).includes(command)
  const submit = (event: Event) => {
    event.preventDefault()
    keepReason(reason)
    send(command, { ...body, who: reason.who.trim(), why: reason.why.trim() })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <form onSubmit={submit}>
        {state.phase !== 'done' && (
          <fieldset disabled={state.phase === 'sending'}>
            <legend class="unseen">For the journal</legend>
            {fields}
            <WhoAndWhy reason={reason} onChange={setReason} isOptional={isStop} />
          </fieldset>
        )}
        <ActionEnd state={state} label={label} isGrave={isGrave} onClose={onClose} />
      </form>
    </Dialog>
  )
}
