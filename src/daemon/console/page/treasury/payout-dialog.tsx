import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import { AmountField, plainAmount, SelectField } from '../fields.tsx'
import type { ShownTreasury } from './use-treasury.ts'

type Props = { readonly view: ShownTreasury; readonly onClose: () => void }

/** Orders a payout to a listed payee; another person has to approve it. */
export function PayoutDialog({ view, onClose }: Props) {
  const { payees, position } = view
  const [payee, setPayee] = useState(payees[0]?.name ?? '')
  const [asset, setAsset] = useState('NTZS')
  const [amount, setAmount] = useState('')
  return (
    <ConfirmDialog
      title={`Pay out of ${position}?`}
      label="Order the payout"
      isGrave
      command="treasury/payout"
      body={{ position, payee, asset, amount: plainAmount(amount) }}
      onClose={onClose}
      fields={
        <>
          <SelectField
            label="Payee"
            value={payee}
            onChange={setPayee}
            options={payees.map(({ name, account }) => [name, `${name}, ${account}`] as const)}
          />
          <SelectField label="Token" value={asset} onChange={setAsset} options={['NTZS', 'USDC', 'USDT']} />
          <AmountField label="Amount" value={amount} onChange={setAmount} />
        </>
      }
    >
      <p>
        It is sent once {view.policy.people === 1 ? 'the cool-off is over' : 'another person has approved it'}
        . A new payee waits 24 hours and receives a small first payout.
      </p>
    </ConfirmDialog>
  )
}
