import { challengerSummary } from '../../../view/challenger-text.ts'
import type { ChallengerView } from '../../../view/challenger-view.ts'
import { Panel } from '../panel.tsx'
import { numberText, shownAge } from '../text.ts'

type Props = { readonly challenger: ChallengerView; readonly now: number }

/** The latest result of `mizani challenger`, which runs a second strategy in a simulated venue. */
export function ChallengerPanel({ challenger, now }: Props) {
  const { use, since, at, compared, suspended, problem } = challenger
  const difference = compared?.difference ?? null
  const isWrong = suspended !== null || (since !== null && problem !== null)
  return (
    <Panel
      id="challenger"
      class="challenger"
      title="Challenger"
      unit={`${use} in the shadow, never sent; both in a simulated venue`}
      mark={suspended !== null && <strong class="bad">suspended</strong>}
    >
      {difference !== null && (
        <p>
          In the simulation it earned {numberText(Math.abs(difference.meanUsd), 2)} $ a day{' '}
          {difference.meanUsd < 0 ? 'less' : 'more'} than this position, give or take{' '}
          {numberText(difference.seUsd, 2)} $.
        </p>
      )}
      <p class={isWrong ? 'bad' : 'note'}>{challengerSummary(challenger)}.</p>
      {compared?.warnings.map((text) => (
        <p key={text} class="note">
          {text}
        </p>
      ))}
      {at !== null && (
        <p class="note">
          {since !== null && <>Began {shownAge(now - since)} ago. </>}Last run {shownAge(now - at)} ago.
        </p>
      )}
    </Panel>
  )
}
