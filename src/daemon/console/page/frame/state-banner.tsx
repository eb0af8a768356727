import type { ComponentChildren } from 'preact'
import { overrideTexts } from '../../../../core/engine/model/config-event.ts'
import type { LivePosition } from '../live/live-state.ts'
import { Row } from '../panel.tsx'
import { shownAge } from '../text.ts'
import { sentence, standing, StateMark } from './standing.tsx'

type Props = { readonly position: LivePosition; readonly now: number; readonly children: ComponentChildren }

/** A word with more letters is shown smaller, so that the buttons under it stay on the first screen. */
const LONG = 10

/** The banner, legible from across the room: the state and why. */
export function StateBanner({ position, now, children }: Props) {
  const { word, tone, reason } = standing(position)
  const { view } = position
  const set = view === null ? [] : overrideTexts(view.overrides)
  const others = view === null ? [] : view.reasons.map(sentence).filter((other) => !same(other, reason))
  return (
    <section class={`banner ${tone}`} aria-labelledby="state">
      <div class="state-line">
        <StateMark tone={tone} />
        <h1 id="state" class={word.length > LONG ? 'long' : ''}>
          <span class="name">{position.name}</span> <b>{word}</b>
        </h1>
        <div class="why">
          <p>{reason}</p>
          {others.length > 0 && (
            <ul>
              {others.map((other) => (
                <li key={other}>{other}</li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <Facts position={position} now={now} />
      {set.length > 0 && <p class="overrides">Changed by operators, on top of the file: {set.join(', ')}</p>}
      {children}
    </section>
  )
}

function Facts({ position: { view, receivedAt }, now }: Omit<Props, 'children'>) {
  return (
    <dl class="facts">
      {view !== null && view.mode === 'dry-run' && (
        <Row name="Mode" tone="warn">
          dry run: nothing is changed at the venue
        </Row>
      )}
      <Row name="Data">{receivedAt === null ? 'none yet' : `${shownAge(now - receivedAt)} old`}</Row>
      {view !== null && (
        <>
          <Row name="Strategy">{view.strategy.use}</Row>
          <Row name="Up">{shownAge(view.now - view.startedAt)}</Row>
          <Row name="Version">{view.version}</Row>
        </>
      )}
    </dl>
  )
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
