import { useEffect, useState } from 'preact/hooks'
import type { ParametersAnswer, PreviewAnswer } from '../../answers.ts'
import { FillModelField } from '../fields.tsx'
import { askApi, query } from '../live/ask-api.ts'
import { Dialog, firstReason, keepReason, ActionEnd, KeyField, useAction, WhoAndWhy } from './dialog.tsx'
import { parameterChangesOf, parameterFields } from './parameter-fields.ts'
import { ParameterForm, PreviewTable } from './parameter-form.tsx'

type ParametersDialogProps = {
  readonly position: string
  readonly onClose: () => void
  /** Simulates the change over the journal instead of making it. */
  readonly isWhatIf?: boolean
}

/** The strategy's parameters: current values, allowed values, and the effect of a change. */
export function ParametersDialog({ position, onClose, isWhatIf = false }: ParametersDialogProps) {
  const [answer, setAnswer] = useState<ParametersAnswer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    void askApi<ParametersAnswer>(`parameters${query({ position })}`).then((asked) => {
      if (asked.ok) setAnswer(asked.value)
      else setProblem(asked.error.message)
    })
  }, [position])
  return (
    <Dialog
      title={answer === null ? `Parameters of ${position}` : `Parameters of ${position}: ${answer.use}`}
      onClose={onClose}
    >
      {answer === null ? (
        <>
          <p class={problem === null ? 'note' : 'bad'}>{problem ?? 'Loading.'}</p>
          <div class="buttons">
            <button type="button" onClick={onClose}>
              Back
            </button>
          </div>
        </>
      ) : (
        <ParametersEditor position={position} answer={answer} onClose={onClose} isWhatIf={isWhatIf} />
      )}
    </Dialog>
  )
}

const NOTE =
  'What if? shows the resulting quote and changes nothing. A change applies on top of the configuration file, also after a restart, until you discard it here.'

const WHAT_IF_NOTE =
  'Runs the market data of the journal twice, as it was quoted and with these parameters, and compares both. Nothing changes.'

type ParametersEditorProps = {
  readonly position: string
  readonly answer: ParametersAnswer
  readonly onClose: () => void
  readonly isWhatIf: boolean
}

/** A change is previewed first and then confirmed; the confirmed change is exactly the previewed one. */
function ParametersEditor({ position, answer, onClose, isWhatIf }: ParametersEditorProps) {
  const fields = parameterFields(answer.schema, answer.params)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ path, text }) => [path, text])),
  )
  const [preview, setPreview] = useState<PreviewAnswer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [reason, setReason] = useState(firstReason)
  const [fromFile, setFromFile] = useState(false)
  const [fills, setFills] = useState('')
  const { state, send } = useAction()
  const isDone = state.phase === 'done'
  const changes = parameterChangesOf(fields, texts)

  async function tryOut(): Promise<void> {
    if (!changes.ok) return setProblem(changes.error)
    keepReason(reason)
    const tried = await askApi<PreviewAnswer>('preview', { body: { position, changes: changes.value } })
    setProblem(tried.ok ? null : tried.error.message)
    setPreview(tried.ok ? tried.value : null)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const given = { position, who: reason.who.trim(), why: reason.why.trim() }
    const isReady = isWhatIf || preview?.ok === true
    if (!fromFile && !(isReady && changes.ok)) return void tryOut()
    keepReason(reason)
    if (fromFile || !changes.ok) send('reload', { ...given, fromFile: true })
    else if (isWhatIf)
      send('research', { ...given, kind: 'whatif', fills: fills || null, changes: changes.value })
    else send('reload', { ...given, changes: changes.value })
  }
  const change = (path: string, text: string) => {
    setTexts({ ...texts, [path]: text })
    setPreview(null)
    setProblem(null)
  }
  const setLabel = preview?.ok === true ? 'Set these' : 'What if?'
  const label = isWhatIf ? 'Simulate' : fromFile ? 'Use the file' : setLabel
  const Reason = label === 'What if?' ? KeyField : WhoAndWhy
  return (
    <form onSubmit={submit}>
      {!isDone && (
        <fieldset disabled={state.phase === 'sending'}>
          <legend class="unseen">Parameters</legend>
          {!fromFile && <ParameterForm fields={fields} texts={texts} onChange={change} />}
          {isWhatIf && <FillModelField value={fills} onChange={setFills} />}
          {!isWhatIf && <Changed answer={answer} fromFile={fromFile} onChange={setFromFile} />}
          <Reason reason={reason} onChange={setReason} />
        </fieldset>
      )}
      {preview !== null && !isDone && <PreviewTable preview={preview} />}
      {problem !== null && <p class="bad">{problem}</p>}
      <ActionEnd state={state} label={label} onClose={onClose} />
      {!isDone && <p class="note">{isWhatIf ? WHAT_IF_NOTE : NOTE}</p>}
    </form>
  )
}

type ChangedProps = {
  readonly answer: ParametersAnswer
  readonly fromFile: boolean
  readonly onChange: (fromFile: boolean) => void
}

/** The settings that differ from the file, and a button that discards them. */
function Changed({ answer: { changed }, fromFile, onChange }: ChangedProps) {
  if (changed.length === 0) return null
  return (
    <div class="preview">
      <p>Set by operators; the file has other values:</p>
      <ul class="because">
        {changed.map(({ path, file, now }) => (
          <li key={path}>
            {path} {JSON.stringify(now)}, file {JSON.stringify(file) ?? 'nothing'}
          </li>
        ))}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          checked={fromFile}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        Discard these and use the file
      </label>
    </div>
  )
}
