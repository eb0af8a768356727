import { useState } from 'preact/hooks'
import type { BankMatchView } from '../../../view/treasury/bank-view.ts'
import { askApi } from '../live/ask-api.ts'
import { Panel } from '../panel.tsx'
import { shownDecimal } from '../text.ts'
import { countText } from '../../../../base/text/numbers.ts'

/** Matches an uploaded or pasted bank file to the payments of intents. Changes nothing. */
export function BankPanel({ position }: { readonly position: string }) {
  const [text, setText] = useState('')
  const [match, setMatch] = useState<BankMatchView | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = async (file: File | undefined) => {
    if (file !== undefined) setText(await file.text())
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    const answer = await askApi<BankMatchView>('treasury/match', { body: { position, text } })
    setMatch(answer.ok ? answer.value : null)
    setProblem(answer.ok ? null : answer.error.message)
  }
  return (
    <Panel id="bank" title="Bank file">
      <form onSubmit={(event) => void submit(event)}>
        <fieldset>
          <label>
            CSV or MT940 file
            <input
              type="file"
              accept=".csv,.txt,.sta,.mt940"
              onChange={(event) => void read(event.currentTarget.files?.[0])}
            />
          </label>
          <label>
            or its text
            <textarea
              rows={4}
              required
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
        </fieldset>
        <div class="buttons">
          <button type="submit">Match</button>
        </div>
      </form>
      <div role="status">
        {problem !== null && <p class="bad">{problem}</p>}
        {match !== null && <Match match={match} />}
      </div>
    </Panel>
  )
}

function Match({ match }: { readonly match: BankMatchView }) {
  const { format, lines, matched, exceptions, missing, leftOut } = match
  return (
    <>
      <p>
        {format}, {countText(lines, 'line')}: {matched.length} matched,{' '}
        {countText(exceptions.length, 'exception')}, {countText(missing.length, 'payment')} without a line.
      </p>
      <ul class="evidence">
        {leftOut.map(({ line, message }) => (
          <li key={`l${line}${message}`} class="warn">
            left out, line {line}: {message}
          </li>
        ))}
        {exceptions.map(({ kind, line, why }) => (
          <li key={`e${line.line}`} class={kind === 'unknown' ? '' : 'bad'}>
            {kind}, line {line.line} of {line.day}: {shownDecimal(line.amount, 2, true)} TZS {line.reference},{' '}
            {why}
          </li>
        ))}
        {missing.map(({ payment, isOverdue }) => (
          <li key={`m${payment.intent}${payment.step}`} class={isOverdue ? 'bad' : ''}>
            {shownDecimal(payment.amount, 2, true)} TZS with reference {payment.reference ?? 'none'}:{' '}
            {isOverdue ? 'overdue since' : 'expected by'} {payment.lastDay}
          </li>
        ))}
      </ul>
    </>
  )
}
