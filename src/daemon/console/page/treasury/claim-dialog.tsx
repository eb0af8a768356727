import { useState } from 'preact/hooks'
import type { IntentView } from '../../../view/treasury/intent-view.ts'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { AmountField, plainAmount, SelectField } from '../fields.tsx'
import { Evidence } from './claim-evidence.tsx'
import { plainWords, shownMoney } from './intent-text.ts'

const ENDS = {
  arrived: { name: 'It arrived', effect: 'The received amount is booked at its destination.' },
  returned: {
    name: 'It came back',
    effect: 'The returned amount is booked at its origin; the rest is a cost.',
  },
  lost: { name: 'It is lost', effect: 'All of it is booked as a cost.' },
} as const
type End = keyof typeof ENDS

type Props = { readonly claim: IntentView; readonly position: string; readonly onClose: () => void }

/** Books the outcome of a claim that a person has determined. Later answers of the venue about it are ignored. */
export function ClaimDialog({ claim, position, onClose }: Props) {
  const [end, setEnd] = useState<End | ''>('')
  const [received, setReceived] = useState('')
  const leg = claim.legs.find(({ stage }) => stage === 'claim')
  // A received amount is in the destination's token, a returned one in the token that was sent.
  const token = (end === 'arrived' ? leg?.leastReceived : leg?.spend)?.asset ?? ''
  const amount = end === 'lost' ? '0' : plainAmount(received)
  return (
    <ConfirmDialog
      title={`Outcome of ${shownMoney(leg?.spend ?? claim.envelope.mostSpent)} to ${claim.envelope.destination}?`}
      label="Book it"
      isGrave
      command="treasury/resolve-claim"
      body={{ position, intent: claim.id, as: end, received: amount }}
      onClose={onClose}
      fields={
        <>
          <SelectField
            label="What became of it"
            required
            value={end}
            onChange={(value) => setEnd(value as End | '')}
            options={[
              ['', 'choose'],
              ...Object.entries(ENDS).map(([value, { name }]) => [value, name] as const),
            ]}
            note={end === '' ? undefined : ENDS[end].effect}
          />
          {end !== '' && end !== 'lost' && (
            <AmountField
              label={`How much ${end === 'arrived' ? 'arrived' : 'came back'}, ${token}`}
              value={received}
              onChange={setReceived}
            />
          )}
        </>
      }
    >
      <p>This is final: later answers of the venue about it are ignored. It is:</p>
      <p class="bad">{plainWords(claim.why)}</p>
      <details open>
        <summary>Evidence</summary>
        <Evidence claim={claim} />
      </details>
    </ConfirmDialog>
  )
}
