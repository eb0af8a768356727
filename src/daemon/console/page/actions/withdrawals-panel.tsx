import { useState } from 'preact/hooks'
import type { PositionView, WithdrawalView } from '../../../view/position-view.ts'
import { withdrawalStage } from '../../../view/position-text.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { Panel } from '../panel.tsx'
import { shownDecimal, shownTime } from '../text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type WithdrawalAction, withdrawalActions } from './actions-for.ts'

type Props = {
  readonly position: string
  readonly view: PositionView
  readonly takesCommands: boolean
}

type Chosen = { readonly action: WithdrawalAction; readonly one: WithdrawalView }

/** The withdrawals that were not sent or have an unknown outcome, with their requesters and the possible actions. */
export function WithdrawalsPanel({ position, view, takesCommands }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { withdrawals, now } = view
  const columns: readonly Column<WithdrawalView>[] = [
    {
      title: 'Amount',
      kind: 'number',
      cell: ({ amount }) => shownDecimal(amount, 2),
      hint: ({ amount, asset }) => `${amount} ${asset}`,
    },
    { title: 'Token', cell: ({ asset }) => asset },
    { title: 'To', cell: ({ toAddress }) => <code>{toAddress}</code> },
    {
      title: 'Requested by',
      kind: 'text',
      cell: ({ who, requestedAt }) => `${who}, ${shownTime(requestedAt, now)}`,
    },
    { title: 'Stage', kind: 'text', cell: (one) => withdrawalStage(one, now) },
    {
      title: 'Actions',
      cell: (one) =>
        takesCommands &&
        withdrawalActions(one).flatMap((action) => [
          <button key={action.name} type="button" onClick={() => setChosen({ action, one })}>
            {action.label}
          </button>,
          ' ',
        ]),
    },
  ]
  return (
    <Panel id="withdrawals" class="withdrawals" title="Withdrawals" unit={`${withdrawals.length} under way`}>
      <DataTable
        label="Withdrawals under way"
        columns={columns}
        rows={withdrawals}
        keyOf={({ key }) => key}
      />
      {chosen !== null && <Confirm position={position} chosen={chosen} onClose={() => setChosen(null)} />}
    </Panel>
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
