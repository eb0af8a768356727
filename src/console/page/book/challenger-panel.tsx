import type { ChallengerView, ComparedView, ShadowRunView } from '../../../view/challenger-view.ts'
import { ageText, numberText } from '../text.ts'

type Props = { readonly challenger: ChallengerView; readonly champion: string; readonly now: number }

/** A second strategy in the shadow beside the first: what both would have done with the same takers. */
export function ChallengerPanel({ challenger, champion, now }: Props) {
  const { use, since, at, compared, suspended, problem } = challenger
  return (
    <section class="panel challenger" aria-labelledby="challenger">
      <h2 id="challenger">
        Challenger <span class="unit">{use} in the shadow, never sent; both in a simulated venue</span>
        {suspended !== null && <strong class="bad">suspended</strong>}
      </h2>
      {suspended !== null && (
        <p class="bad">
          Not asked any longer for {ageText(now - suspended.since)}: {suspended.why}
        </p>
      )}
      {problem !== null && (
        <p class={since === null ? 'note' : 'bad'}>
          {since === null ? 'Unknown' : 'Not run'}: {problem}.
        </p>
      )}
      {compared !== null && <Compared compared={compared} champion={champion} challenger={use} />}
      {at !== null && (
        <p class="note">
          {since !== null && <>Began {ageText(now - since)} ago. </>}Last run {ageText(now - at)} ago.
        </p>
      )}
    </section>
  )
}

type Both = { readonly compared: ComparedView; readonly champion: string; readonly challenger: string }

function Compared({ compared, champion, challenger }: Both) {
  return (
    <>
      <Difference difference={compared.difference} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Champion and challenger">
        <table>
          <thead>
            <tr>
              <th scope="col">Strategy</th>
              <th scope="col" class="number">
                Quote, bid / ask
              </th>
              <th scope="col" class="number">
                Fills
              </th>
              <th scope="col" class="number">
                Edge
              </th>
              <th scope="col" class="number">
                Left at the next update
              </th>
              <th scope="col" class="number">
                PnL less holding
              </th>
            </tr>
          </thead>
          <tbody>
            <Run name={champion} role="champion" run={compared.champion} />
            <Run name={challenger} role="challenger" run={compared.challenger} />
          </tbody>
        </table>
      </div>
      {compared.warnings.map((text) => (
        <p key={text} class="note">
          {text}
        </p>
      ))}
    </>
  )
}

function Difference({ difference }: Pick<ComparedView, 'difference'>) {
  if (difference === null) return <p class="note">Two days are needed for a difference.</p>
  const { meanUsd, seUsd, days, p } = difference
  return (
    <dl class="big">
      <div>
        <dt>Challenger less champion, of a day</dt>
        <dd class={meanUsd < 0 ? 'minus' : 'plus'}>{numberText(meanUsd, 2, true)} $</dd>
      </div>
      <div>
        <dt>
          Standard error over {days} days, p {p < 0.001 ? 'under 0.001' : numberText(p, 3)}
        </dt>
        <dd>± {numberText(seUsd, 2)} $</dd>
      </div>
    </dl>
  )
}

function Run({
  name,
  role,
  run,
}: {
  readonly name: string
  readonly role: string
  readonly run: ShadowRunView
}) {
  const { quote, fills, syntheticFills, edgeUsd, edgeBps, markoutBps, lessHoldingUsd } = run
  return (
    <tr>
      <th scope="row">
        {name} <span class="unit">{role}</span>
      </th>
      <td class="number">
        {quote === null ? 'none' : `${sideText(quote.bidBps)} / ${sideText(quote.askBps)}`}
      </td>
      <td class="number">
        {numberText(fills, 0)} <span class="unit">{numberText(syntheticFills, 0)} drawn</span>
      </td>
      <td class="number">
        {numberText(edgeUsd, 2, true)} $ <span class="unit">{numberText(edgeBps, 1)} bps</span>
      </td>
      <td class="number">
        {numberText(markoutBps, 1)} <span class="unit">bps</span>
      </td>
      <td class="number">{numberText(lessHoldingUsd, 2, true)} $</td>
    </tr>
  )
}

function sideText(bps: number | null): string {
  return bps === null ? 'off' : numberText(bps, 0)
}
