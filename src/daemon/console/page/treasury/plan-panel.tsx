import { Column, TableHead } from '../table-head.tsx'
import { shownAge, shownDecimal, numberText, shownTime } from '../text.ts'
import { shownMoney } from './intent-text.ts'
import type { ShownTreasury } from './use-treasury.ts'

type Props = { readonly view: ShownTreasury }

/** What the policy would do now, and what it will not do and why. */
export function PlanPanel({ view }: Props) {
  const { plan, refusedSteps, now } = view
  return (
    <section class="panel treasury-half" aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      {plan === null && <p class="note">No balances were read yet, so there is no plan.</p>}
      {plan?.warnings.map(({ message }) => (
        <p key={message} class="warn">
          {message}
        </p>
      ))}
      {plan?.steps.length === 0 && <p>Nothing needs to move now.</p>}
      {plan?.steps.map((step) => (
        <article key={`${step.rule}${step.asset}${step.direction}`} class="intent">
          <h3>
            {step.rule}: {shownMoney(step.mostSpent)} over {step.route} to {step.destination}
          </h3>
          <p>
            Costs {shownDecimal(step.costTzs, 0)} TZS
            {step.worthTzs === null ? '' : `, worth ${shownDecimal(step.worthTzs, 0)} TZS`}; arrives{' '}
            {shownTime(step.arrivesAt, now)}, in 95 of 100 cases by {shownTime(step.latestAt, now)}; fails in{' '}
            {numberText(step.failureOdds * 100, 1)} %.
          </p>
          <p class="note">{step.why}</p>
        </article>
      ))}
      {refusedSteps.map(({ step, why }) => (
        <p key={step} class="warn">
          {step}: {why}
        </p>
      ))}
      {(plan?.rejected.length ?? 0) > 0 && (
        <details>
          <summary>{plan?.rejected.length} routes not taken, and why</summary>
          <ul>
            {plan?.rejected.map(({ route, asset, direction, why }) => (
              <li key={`${route}${asset}${direction}${why}`}>
                {route}, {asset} {direction}: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      {plan?.benchmarks.map(({ asset, reorderLevel, orderUpTo, millerOrr }) => (
        <p key={asset} class="note">
          {asset}: refills at {shownDecimal(reorderLevel, 0)} up to {shownDecimal(orderUpTo, 0)}; Miller-Orr{' '}
          {millerOrr === null
            ? 'has no figure, for the flow does not vary'
            : `would return to ${shownDecimal(millerOrr.target, 0)} and skim at ${shownDecimal(millerOrr.upper, 0)}`}
          .
        </p>
      ))}
    </section>
  )
}

/** Rails as a scoreboard: what was learned of each. */
export function RailsPanel({ view }: Props) {
  return (
    <section class="panel treasury-half" aria-labelledby="rails">
      <h2 id="rails">Routes</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Routes">
        <table>
          <TableHead>
            <Column>Route</Column>
            <Column number>Tried</Column>
            <Column number>Failed</Column>
            <Column number>Median</Column>
            <Column number>95 %</Column>
            <Column number>Cost, bps</Column>
            <Column>State</Column>
          </TableHead>
          <tbody>
            {view.rails.map((rail) => (
              <tr key={rail.route}>
                <th scope="row">{rail.route}</th>
                <td class="number">{rail.tries}</td>
                <td class={`number ${rail.failures > 0 ? 'bad' : ''}`}>{rail.failures}</td>
                <td class="number">{shownAge(rail.medianMs)}</td>
                <td class="number">{shownAge(rail.p95Ms)}</td>
                <td class="number">{numberText(rail.costBps, 1)}</td>
                <td class={rail.restedUntil === null ? '' : 'warn'}>
                  {rail.restedUntil !== null
                    ? `rests until ${shownTime(rail.restedUntil, view.now)}`
                    : rail.isAllowed
                      ? 'in use'
                      : 'not allowed'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
