import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../actions/confirm-dialog.tsx'
import type { ShownTreasury } from './use-treasury.ts'

type Props = { readonly view: ShownTreasury; readonly onClose: () => void }

/** Orders a payout to a listed payee; another token has to approve it. */
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
      body={{ position, payee, asset, amount: amount.replaceAll(/[\s,]/g, '') }}
      onClose={onClose}
      fields={
        <>
          <label>
            Payee
            <select value={payee} onChange={(event) => setPayee(event.currentTarget.value)}>
              {payees.map(({ name, account }) => (
                <option key={name} value={name}>
                  {name}, {account}
                </option>
              ))}
            </select>
          </label>
          <label>
            Token
            <select value={asset} onChange={(event) => setAsset(event.currentTarget.value)}>
              {['NTZS', 'USDC', 'USDT'].map((token) => (
                <option key={token}>{token}</option>
              ))}
            </select>
          </label>
          <label>
            Amount
            <input
              required
              inputMode="decimal"
              autocomplete="off"
              pattern="[0-9][0-9 ,]*(\.[0-9]+)?"
              title="whole tokens, such as 500,000 or 250.5"
              value={amount}
              onInput={(event) => setAmount(event.currentTarget.value)}
            />
          </label>
        </>
      }
    >
      <p>
        It leaves once {view.policy.people === 1 ? 'the cool-off is over' : 'another token has approved it'}.
        A new payee waits 24 hours and receives a small first payout.
      </p>
    </ConfirmDialog>
  )
}
