import { useState } from 'preact/hooks'
import type { ResearchAnswer, ResearchRun } from '../../answers.ts'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { ParametersDialog } from '../actions/parameters-editor.tsx'
import { FillModelField, SelectField } from '../fields.tsx'
import { query } from '../live/ask-api.ts'
import { usePolled } from '../live/use-polled.ts'
import { Panel } from '../panel.tsx'
import { shownAge, shownTime } from '../text.ts'

const EVERY_MS = 3_000
const NO_TAPE =
  'A backtest needs a tape: list its folder under research.tapes in the configuration file and restart the daemon.'

type Props = { readonly position: string; readonly now: number; readonly takesCommands: boolean }

/** Starts backtests and what-ifs, shows their progress, and links their reports. */
export function ResearchPanel({ position, now, takesCommands }: Props) {
  const [open, setOpen] = useState<'backtest' | 'whatif' | ResearchRun | null>(null)
  const { value, failure, refresh } = usePolled<ResearchAnswer>(`research${query({ position })}`, EVERY_MS)
  if (value === null) return null
  const { tapes, since, runs } = value
  const close = () => {
    setOpen(null)
    refresh()
  }
  return (
    <Panel
      id="research"
      class="research"
      title="Research"
      unit="one run at a time, at low priority; it changes nothing"
    >
      {failure !== null && <p class="warn">{failure.message}</p>}
      {takesCommands && (
        <div class="buttons">
          <button type="button" disabled={tapes.length === 0} onClick={() => setOpen('backtest')}>
            Backtest
          </button>
          <button type="button" onClick={() => setOpen('whatif')}>
            What if, over our own past
          </button>
        </div>
      )}
      {tapes.length === 0 && <p class="note">{NO_TAPE}</p>}
      {runs.map((run) => (
        <RunLine key={run.id} run={run} now={now} onCancel={takesCommands ? () => setOpen(run) : null} />
      ))}
      <p class="note">Reports are kept until the daemon restarts; it started at {shownTime(since, now)}.</p>
      {open !== null && <OpenDialog open={open} position={position} tapes={tapes} onClose={close} />}
    </Panel>
  )
}

type OpenDialogProps = {
  readonly open: 'backtest' | 'whatif' | ResearchRun
  readonly position: string
  readonly tapes: readonly string[]
  readonly onClose: () => void
}

/** The dialog that starts a backtest or a what-if, or cancels a run. */
function OpenDialog({ open, position, tapes, onClose }: OpenDialogProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [fills, setFills] = useState('')
  const tape = chosen ?? tapes[0] ?? null
  if (open === 'whatif') return <ParametersDialog position={position} isWhatIf onClose={onClose} />
  if (open === 'backtest')
    return (
      <ConfirmDialog
        title={`Backtest the present configuration of ${position}?`}
        label="Backtest"
        isGrave={false}
        command="research"
        body={{ position, kind: 'backtest', tape, fills: fills || null }}
        onClose={onClose}
        fields={
          <>
            <SelectField label="Tape" value={tape ?? ''} onChange={setChosen} options={tapes} />
            <FillModelField value={fills} onChange={setFills} />
          </>
        }
      >
        <p>It uses the file as it is now, with what operators changed since.</p>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      title={`Cancel the ${open.kind} of ${open.position}?`}
      label="Cancel the run"
      isGrave={false}
      command="research/cancel"
      body={{ position, id: open.id }}
      onClose={onClose}
    >
      <p>Its process is ended, and there will be no report.</p>
    </ConfirmDialog>
  )
}

type RunLineProps = {
  readonly run: ResearchRun
  readonly now: number
  /** Null = this page takes no commands. */
  readonly onCancel: (() => void) | null
}

function RunLine({ run, now, onCancel }: RunLineProps) {
  const { id, kind, position, tape, fills, who, state, startedAt, endedAt, progress, problem, changes } = run
  const set = Object.entries(changes).map(([path, value]) => `${path} ${JSON.stringify(value)}`)
  return (
    <article class="intent" aria-label={`Run ${id.slice(0, 8)}`}>
      <h3>
        {kind === 'whatif' ? 'What if' : 'Backtest'} of {position}, {state}
      </h3>
      <p class={state === 'failed' ? 'bad' : ''}>
        {problem ?? progress ?? ''} {state === 'running' && `Running for ${shownAge(now - startedAt)}.`}{' '}
        {state === 'finished' && (
          <a href={`/api/v1/research/${id}/report`} target="_blank" rel="noopener noreferrer">
            Report
          </a>
        )}
      </p>
      <p class="note">
        {tape ?? 'our own past'}
        {fills !== null && `, fill model ${fills}`}
        {set.length > 0 && `; ${set.join(', ')}`}; started by {who} at {shownTime(startedAt, now)}
        {endedAt !== null && `, took ${shownAge(endedAt - startedAt)}`}
      </p>
      {state === 'running' && onCancel !== null && (
        <div class="buttons">
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        </div>
      )}
    </article>
  )
}
