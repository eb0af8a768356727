import { type Column, DataTable } from '../data-table.tsx'
import { Panel } from '../panel.tsx'
import { shownAge, shownDecimal, numberText, shownTime } from '../text.ts'
import { capitalised } from '../text.ts'
import { plainWords, shownMoney } from './intent-text.ts'
import type { ShownTreasury } from './use-treasury.ts'

type Props = { readonly view: ShownTreasury }

/** The policy's current plan, and the rejected steps with reasons. */
export function PlanPanel({ view }: Props) {
  const { plan, refusedSteps, now } = view
  return (
    <Panel id="plan" class="treasury-half" title="Plan">
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
            {capitalised(step.rule)}: {shownMoney(step.mostSpent)} to {plainWords(step.destination)} by{' '}
            {plainWords(step.route)}
          </h3>
          <p>
            Costs {shownDecimal(step.costTzs, 0)} TZS
            {step.worthTzs === null ? '' : `, worth ${shownDecimal(step.worthTzs, 0)} TZS`}; arrives{' '}
            {shownTime(step.arrivesAt, now)}, in 95 of 100 cases by {shownTime(step.latestAt, now)}; fails in{' '}
            {numberText(step.failureOdds * 100, 1)} %.
          </p>
          <p class="note">{plainWords(step.why)}</p>
        </article>
      ))}
      {refusedSteps.map(({ step, why }) => (
        <p key={step} class="warn">
          {plainWords(`${step}: ${why}`)}
        </p>
      ))}
      {(plan?.rejected.length ?? 0) > 0 && (
        <details>
          <summary>{plan?.rejected.length} routes not taken, and why</summary>
          <ul>
            {plan?.rejected.map(({ route, asset, direction, why }) => (
              <li key={`${route}${asset}${direction}${why}`}>
                {plainWords(`${route}, ${asset} ${direction}: ${why}`)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {plan?.benchmarks.map(({ asset, reorderLevel, orderUpTo, millerOrr }) => (
        <p key={asset} class="note">
          {asset}: a refill starts below {shownDecimal(reorderLevel, 0)} and fills up to{' '}
          {shownDecimal(orderUpTo, 0)}.
          {millerOrr !== null &&
            ` For comparison, the rule of Miller and Orr returns to ${shownDecimal(millerOrr.target, 0)} and skims above ${shownDecimal(millerOrr.upper, 0)}.`}
        </p>
      ))}
    </Panel>
  )
}

/** The measured performance of each route that was tried, and the names of the others that may be used. */
export function RailsPanel({ view }: Props) {
  const tried = view.rails.filter(({ tries, restedUntil }) => tries > 0 || restedUntil !== null)
  const unused = view.rails.filter((rail) => rail.isAllowed && !tried.includes(rail))
  const columns: readonly Column<ShownTreasury['rails'][number]>[] = [
    { title: 'Route', kind: 'head', cell: ({ route }) => capitalised(plainWords(route)) },
    { title: 'Tried', kind: 'number', cell: ({ tries }) => tries },
    {
      title: 'Failed',
      kind: 'number',
      cell: ({ failures }) => failures,
      tone: ({ failures }) => (failures > 0 ? 'bad' : ''),
    },
    { title: 'Median', kind: 'number', cell: ({ medianMs }) => shownAge(medianMs) },
    { title: '95 %', kind: 'number', cell: ({ p95Ms }) => shownAge(p95Ms) },
    { title: 'Cost, bps', kind: 'number', cell: ({ costBps }) => numberText(costBps, 1) },
    {
      title: 'State',
      cell: ({ restedUntil, isAllowed }) =>
        restedUntil === null
          ? isAllowed
            ? 'in use'
            : 'not allowed'
          : `rests until ${shownTime(restedUntil, view.now)}`,
      tone: ({ restedUntil }) => (restedUntil === null ? '' : 'warn'),
    },
  ]
  return (
    <Panel id="rails" class="treasury-half" title="Routes">
      {tried.length > 0 && (
        <DataTable
          label="Routes"
          columns={columns.filter(({ title }) => tried.some((rail) => isKnown(title, rail)))}
          rows={tried}
          keyOf={({ route }) => route}
        />
      )}
      {unused.length > 0 && (
        <p class="note">Not used yet: {unused.map(({ route }) => plainWords(route)).join(', ')}.</p>
      )}
    </Panel>
  )
}

/** A figure appears once a route has it. */
function isKnown(title: string, { medianMs, p95Ms, costBps }: ShownTreasury['rails'][number]): boolean {
  return { Median: medianMs, '95 %': p95Ms, 'Cost, bps': costBps }[title] !== null
}
