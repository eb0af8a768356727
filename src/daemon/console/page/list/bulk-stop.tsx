import { useState } from 'preact/hooks'
import { Dialog, firstReason, keepReason, WhoAndWhy } from '../actions/dialog.tsx'
import { OPERATOR_COMMANDS } from '../../commands/operator-commands.ts'
import { type ApiFailure, askApi, session } from '../live/ask-api.ts'
import type { Result } from '../../../../base/result.ts'

type Props = {
  readonly command: 'pause' | 'halt'
  readonly names: readonly string[]
  readonly onClose: () => void
}
type Answer = { readonly answer?: string; readonly confirmed?: boolean }
type Outcome = { readonly word: string; readonly tone: 'good' | 'warn' | 'bad'; readonly text: string }

/** Names the chosen positions, sends each of them its own stop, and shows each answer. */
export function BulkStop({ command, names, onClose }: Props) {
  const { label, effect } = OPERATOR_COMMANDS[command].button
  const [reason, setReason] = useState(firstReason)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome | null> | null>(null)
  const send = async (name: string) => {
    const body = { position: name, who: reason.who.trim(), why: reason.why.trim() }
    const answer = await askApi<Answer>(command, { body })
    if (!answer.ok && answer.error.status === 401) session.forgetToken()
    setOutcomes((before) => new Map(before).set(name, bulkOutcome(answer)))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    keepReason(reason)
    setOutcomes(new Map(names.map((name) => [name, null])))
    for (const name of names) void send(name)
  }
  return (
    <Dialog
      title={`${label} ${names.length === 1 ? 'one position' : `${names.length} positions`}?`}
      onClose={onClose}
    >
      <p>{effect}</p>
      <ul class="outcomes" aria-live="polite">
        {names.map((name) => {
          const outcome = outcomes?.get(name)
          return (
            <li key={name}>
              {name} {outcomes !== null && <b class={outcome?.tone}>{outcome?.word ?? 'waiting'}</b>}{' '}
              <small>{outcome?.text}</small>
            </li>
          )
        })}
      </ul>
      <form onSubmit={submit}>
        {outcomes === null && (
          <fieldset>
            <legend class="unseen">For the journal</legend>
            <WhoAndWhy reason={reason} onChange={setReason} isOptional />
          </fieldset>
        )}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {outcomes === null ? 'Back' : 'Close'}
          </button>
          {outcomes === null && (
            <button type="submit" class="primary grave">
              {label} {names.length}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** Returns what one position answered. `done` needs the venue's confirmation; without an answer the outcome is unknown. */
function bulkOutcome(answer: Result<Answer, ApiFailure>): Outcome {
  if (answer.ok) {
    const text = answer.value.answer ?? ''
    if (answer.value.confirmed === true) return { word: 'done', tone: 'good', text }
    return { word: 'accepted, not confirmed', tone: 'warn', text }
  }
  const { status, message } = answer.error
  if (status === 502) return { word: 'not confirmed', tone: 'bad', text: message }
  return { word: status === 0 || status >= 500 ? 'no answer' : 'refused', tone: 'bad', text: message }
}
