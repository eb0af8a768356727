import { useState } from 'preact/hooks'
import type { OpenAlertsAnswer } from '../../answers.ts'
import { Column, TableHead } from '../table-head.tsx'
import { query } from '../live/ask-api.ts'
import { usePolled } from '../live/use-polled.ts'
import { shownTime } from '../text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type OpenAlert = OpenAlertsAnswer['alerts'][number]
type Props = { readonly position: string; readonly now: number; readonly takesCommands: boolean }

const EVERY_MS = 5_000

/** Critical alerts that people are reminded of until someone has them in hand; nothing where none is open. */
export function OpenAlertsPanel({ position, now, takesCommands }: Props) {
  const [chosen, setChosen] = useState<OpenAlert | null>(null)
  // A request that fails leaves what was shown: the bar above the page reports that the daemon is not reached.
  const { value, refresh } = usePolled<OpenAlertsAnswer>(`alerts${query({ position })}`, EVERY_MS)
  const alerts = value?.alerts ?? []
  const close = () => {
    setChosen(null)
    refresh()
  }
  if (alerts.length === 0 && chosen === null) return null
  return (
    <section class="panel alerts" aria-labelledby="alerts">
      <h2 id="alerts">
        Open alerts{' '}
        <span class="unit">{alerts.filter(({ ack }) => ack === null).length} not acknowledged</span>
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Open alerts">
        <table>
          <TableHead>
            <Column>Alert</Column>
            <Column>What happened</Column>
            <Column>Raised</Column>
            <Column>In hand</Column>
          </TableHead>
          <tbody>
            {alerts.map((alert) => (
              <Row key={alert.code} alert={alert} now={now} choose={takesCommands ? setChosen : null} />
            ))}
          </tbody>
        </table>
      </div>
      {chosen !== null && <Confirm position={position} alert={chosen} onClose={close} />}
    </section>
  )
}

type RowProps = {
  readonly alert: OpenAlert
  readonly now: number
  /** Null where the page takes no commands. */
  readonly choose: ((alert: OpenAlert) => void) | null
}

function Row({ alert, now, choose }: RowProps) {
  const { code, text, raisedAt, ack } = alert
  return (
    <tr>
      <th scope="row">{code}</th>
      <td>{text}</td>
      <td>{shownTime(raisedAt, now)}</td>
      <td>
        {ack !== null && `${ack.who}, ${shownTime(ack.at, now)}: ${ack.why}`}
        {ack === null && choose === null && 'no one yet'}
        {ack === null && choose !== null && (
          <button type="button" onClick={() => choose(alert)}>
            Acknowledge
          </button>
        )}
      </td>
    </tr>
  )
}

type ConfirmProps = { readonly position: string; readonly alert: OpenAlert; readonly onClose: () => void }

function Confirm({ position, alert: { code, text }, onClose }: ConfirmProps) {
  return (
    <ConfirmDialog
      title={`Acknowledge ${code} of ${position}?`}
      label="Acknowledge"
      isGrave={false}
      command="ack"
      body={{ position, code }}
      onClose={onClose}
    >
      <p>You have it in hand: people are no longer reminded of it. Nothing else changes.</p>
      <p>{text}</p>
    </ConfirmDialog>
  )
}
