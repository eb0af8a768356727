import type { ComponentChildren } from 'preact'
import type { LivePosition } from '../live/live-state.ts'
import { ageText } from '../text.ts'
import { standing, StateMark } from './standing.tsx'

type Props = { readonly position: LivePosition; readonly now: number; readonly children: ComponentChildren }

/** What is read from across the room: the state and why. */
export function StateBanner({ position, now, children }: Props) {
  const { word, tone, reason } = standing(position)
  const { view, heardAt } = position
  const others = view === null ? [] : view.reasons.filter((other) => !same(other, reason))
  return (
    <section class={`banner ${tone}`} aria-labelledby="state">
      <div class="state-line">
        <StateMark tone={tone} />
        <h1 id="state">
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
      <dl class="facts">
        {view !== null && view.mode === 'dry-run' && (
          <div>
            <dt>Mode</dt>
            <dd class="warn">dry run: nothing is changed at the venue</dd>
          </div>
        )}
        <div>
          <dt>Data</dt>
          <dd>{heardAt === null ? 'none yet' : `${ageText(now - heardAt)} old`}</dd>
        </div>
        {view !== null && (
          <>
            <div>
              <dt>Strategy</dt>
              <dd>{view.strategy.use}</dd>
            </div>
            <div>
              <dt>Up</dt>
              <dd>{ageText(view.now - view.startedAt)}</dd>
            </div>
            <div>
              <dt>Version</dt>
              <dd>{view.version}</dd>
            </div>
          </>
        )}
      </dl>
      {children}
    </section>
  )
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
