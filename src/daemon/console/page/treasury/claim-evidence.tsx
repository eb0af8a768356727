import type { IntentView } from '../../../view/treasury/intent-view.ts'
import { shownMoney } from './intent-text.ts'

/** The data with which the venue's operator can find the money: every request with its exact body, and the answers. */
export function Evidence({ claim }: { readonly claim: IntentView }) {
  return (
    <>
      {claim.legs.map((leg, index) => (
        <div key={index} class="evidence">
          <p>
            Step {index + 1}: {leg.kind} of {shownMoney(leg.spend)}, {leg.stage}, resource{' '}
            {leg.resourceId ?? 'unknown'}, reference {leg.reference ?? 'unknown'}
          </p>
          {leg.evidence.map(({ by, suggests, amount, words }) => (
            <p key={words} class="warn">
              Evidence of the {by}: {words}. This is not proof: if it is right, resolve the claim as{' '}
              {suggests} with {shownMoney(amount)}.
            </p>
          ))}
          {leg.attempts.map((attempt) => (
            <p key={attempt.key}>
              Try {attempt.n}, key <code>{attempt.key}</code>, {attempt.sendings} times, {attempt.outcome}
              {attempt.block === null ? '' : `, chain at block ${attempt.block}`}: <code>{attempt.body}</code>{' '}
              {attempt.words}
            </p>
          ))}
        </div>
      ))}
    </>
  )
}
