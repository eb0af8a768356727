import { useState } from 'preact/hooks'
import type { PositionView, WithdrawalView } from '../../../view/position-view.ts'
import { Column, TableHead } from '../frame/table-head.tsx'
import { ageText, decimalText, timeText } from '../text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type WithdrawalAction, withdrawalActions } from './actions-for.ts'

type Props = {
  readonly position: string
  readonly view: PositionView
  readonly takesCommands: boolean
}

type Chosen = { readonly action: WithdrawalAction; readonly one: WithdrawalView }

/** The withdrawals that have not left, or have no clear answer: who wants them, and what a person can do about each. */
export function WithdrawalsPanel({ position, view, takesCommands }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { withdrawals, now } = view
  return (
    <section class="panel withdrawals" aria-labelledby="withdrawals">
      <h2 id="withdrawals">
        Withdrawals <span class="unit">{withdrawals.length} under way</span>
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Withdrawals under way">
        <table>
          <TableHead>
            <Column number>Amount</Column>
            <Column>Token</Column>
            <Column>To</Column>
            <Column>Requested by</Column>
            <Column>Stage</Column>
            <Column>Actions</Column>
          </TableHead>
          <tbody>
            {withdrawals.map((one) => (
              <tr key={one.key}>
                <td class="number" title={`${one.amount} ${one.asset}`}>
                  {decimalText(one.amount, 2)}
                </td>
                <td>{one.asset}</td>
                <td>
                  <code>{one.toAddress}</code>
                </td>
                <td>
                  {one.who}, {timeText(one.requestedAt, now)}
                </td>
                <td>{stageText(one, now)}</td>
                <td>
                  {takesCommands &&
                    withdrawalActions(one).map((action) => (
                      <button key={action.name} type="button" onClick={() => setChosen({ action, one })}>
                        {action.label}
                      </button>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen !== null && (
        <ConfirmDialog
          title={`${chosen.action.label} of ${position}?`}
          label={chosen.action.label}
          isGrave={chosen.action.isGrave}
          command={chosen.action.name}
          body={{ position, key: chosen.one.key }}
          onClose={() => setChosen(null)}
        >
          <p>{chosen.action.effect}</p>
          <p>
            {chosen.one.amount} {chosen.one.asset} to <code>{chosen.one.toAddress}</code>, requested by{' '}
            {chosen.one.who}
          </p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function stageText({ stage, approvedBy, sendAt }: WithdrawalView, now: number): string {
  if (stage === 'waiting') return 'waits for another person to approve it'
  if (stage === 'sent') return 'sent, no answer yet'
  if (stage === 'unknown') return 'sent, and its outcome is unknown: the balances will show it'
  const left = sendAt === null || sendAt <= now ? 'now' : `in ${ageText(sendAt - now)}`
  return `approved by ${approvedBy ?? 'nobody'}, leaves ${left}`
}
