import type { PositionView } from '../../../view/position-view.ts'
import { feedTone, isFeedDoubtful, judgementText } from '../../../view/position-text.ts'
import { Panel, Row } from '../panel.tsx'
import { shownAge, shownDecimal, numberText } from '../text.ts'

type Props = { readonly view: PositionView; readonly sinceMs: number }

/** Health of the position: books, requests, mid. */
export function HealthPanel({ view, sinceMs }: Props) {
  const { budget, guard, reconciliation, bounds, midAgeMs, fills } = view
  const age = midAgeMs === null ? null : midAgeMs + sinceMs
  const isOld = age !== null && bounds.maxMidAgeMs !== null && age > bounds.maxMidAgeMs
  return (
    <Panel id="health" class="health" title="Keeping up">
      <dl class="rows">
        <LedgerRow reconciliation={reconciliation} />
        <Row name="Requests">
          {numberText(budget.remaining, 0)} of {numberText(budget.effective, 0)} left this minute
          <meter
            min={0}
            max={Math.max(1, budget.effective)}
            low={budget.effective * 0.15}
            value={budget.remaining}
            aria-label="Requests left this minute"
          />
        </Row>
        <Row name="Guard" tone={guard === null || guard.watch === 'held' ? '' : 'bad'}>
          {guard?.watch === 'held' ? '✓ watches' : 'not watched by a guard'}
          {guard !== null && guard.why !== '' && <span class="note">{guard.why}</span>}
        </Row>
        <Row name="Failed">{numberText(view.requestsFailed, 0)} requests since the start</Row>
        <Row name="Mid" tone={isOld ? 'bad' : ''}>
          {age === null ? 'age unknown' : `${shownAge(age)} old`}
          {isOld && <span class="bad">over its limit</span>}
        </Row>
        {view.reference.feeds.map(({ name, status, mid, ageMs, problem, judgement }) => (
          <Row key={name} name={`Feed ${name}`} tone={feedTone(status)}>
            {status}
            {mid !== null && <span>{shownDecimal(mid, 2)}</span>}
            {ageMs !== null && <span class="note">{shownAge(ageMs + sinceMs)} ago</span>}
            {problem !== null && <span class="note">{problem}</span>}
            {status !== 'venue' && (
              <span class={isFeedDoubtful(judgement) ? 'note bad' : 'note'}>{judgementText(judgement)}</span>
            )}
          </Row>
        ))}
        <Row name="At the venue">
          {view.isActive === null ? 'not known' : view.isActive ? 'active' : 'inactive'}
        </Row>
        <Row name="Fills">
          {numberText(fills.total, 0)} ({numberText(fills.bid, 0)} bid, {numberText(fills.ask, 0)} ask),{' '}
          {shownDecimal(fills.volumeUsd, 0)} $
        </Row>
        <Row name="Fee">
          {view.feeModel.replace('from-position', 'paid by us').replace('none', 'not paid by us')}
        </Row>
      </dl>
    </Panel>
  )
}

type LedgerProps = { readonly reconciliation: PositionView['reconciliation'] }

/** Whether the books equal the venue's balances, what they cover, and unreadable answers. */
function LedgerRow({ reconciliation }: LedgerProps) {
  const { state, why, unreadable, notStated, unreconciled } = reconciliation
  return (
    <Row name="Ledger" tone={state === 'break' ? 'bad' : ''}>
      {BOOKS[state]}
      {why !== '' && !unreadable.includes(why) && <span class="note">{why}</span>}
      {unreadable.map((figure) => (
        <span key={figure} class="bad">
          unreadable: {figure}
        </span>
      ))}
      {notStated.length > 0 && (
        <span class="note">{notStated.join(', ')}: not stated by the venue, so not counted</span>
      )}
      {Object.entries(unreconciled).map(([asset, text]) => (
        <span key={asset} class="bad">
          {shownDecimal(text, 6, true)} {asset}
        </span>
      ))}
    </Row>
  )
}

const BOOKS = {
  reconciled: '✓ reconciled',
  pending: '… pending',
  break: '✕ reconciliation break: venue and ledger differ',
} as const
