import { useState } from 'preact/hooks'
import type { PositionView, WithdrawalView } from '../../../view/position-view.ts'
import { Column, TableHead } from '../table-head.tsx'
import { shownAge, shownDecimal, shownTime } from '../text.ts'
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
  const choose = takesCommands ? setChosen : null
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
              <Row key={one.key} one={one} now={now} choose={choose} />
            ))}
          </tbody>
        </table>
      </div>
      {chosen !== null && <Confirm position={position} chosen={chosen} onClose={() => setChosen(null)} />}
    </section>
  )
}

type RowProps = {
  readonly one: WithdrawalView
  readonly now: number
  /** Null where the page takes no commands. */
  readonly choose: ((chosen: Chosen) => void) | null
}

function Row({ one, now, choose }: RowProps) {
  return (
    <tr>
      <td class="number" title={`${one.amount} ${one.asset}`}>
        {shownDecimal(one.amount, 2)}
      </td>
      <td>{one.asset}</td>
      <td>
        <code>{one.toAddress}</code>
      </td>
      <td>
        {one.who}, {shownTime(one.requestedAt, now)}
      </td>
      <td>{stageText(one, now)}</td>
      <td>
        {choose !== null &&
          withdrawalActions(one).map((action) => (
            <button key={action.name} type="button" onClick={() => choose({ action, one })}>
              {action.label}
            </button>
          ))}
      </td>
    </tr>
  )
}

type ConfirmProps = {
  readonly position: string
  readonly chosen: Chosen
  readonly onClose: () => void
}

function Confirm({ position, chosen: { action, one }, onClose }: ConfirmProps) {
  return (
    <ConfirmDialog
      title={`${action.label} of ${position}?`}
      label={action.label}
      isGrave={action.isGrave}
      command={action.name}
      body={{ position, key: one.key }}
      onClose={onClose}
    >
      <p>{action.effect}</p>
      <p>
        {one.amount} {one.asset} to <code>{one.toAddress}</code>, requested by {one.who}
      </p>
    </ConfirmDialog>
  )
}

function stageText({ stage, approvedBy, sendAt, heldAt }: WithdrawalView, now: number): string {
  if (heldAt !== null) return 'held since a halt until another approval'
  if (stage === 'waiting') return 'waits for another person to approve it'
  if (stage === 'sent') return 'sent, no answer yet'
  if (stage === 'unknown') return 'sent, and its outcome is unknown: the balances will show it'
  const left = sendAt === null || sendAt <= now ? 'now' : `in ${shownAge(sendAt - now)}`
  return `approved by ${approvedBy ?? 'nobody'}, leaves ${left}`
}
