import { useState } from 'preact/hooks'
import type { OpenAlertsAnswer } from '../../answers.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { query } from '../live/ask-api.ts'
import { usePolled } from '../live/use-polled.ts'
import { Panel } from '../panel.tsx'
import { shownTime } from '../text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type OpenAlert = OpenAlertsAnswer['alerts'][number]
type Props = { readonly position: string; readonly now: number; readonly takesCommands: boolean }

const EVERY_MS = 5_000

/** Critical alerts with reminders until someone acknowledges them; renders nothing if none is open. */
export function OpenAlertsPanel({ position, now, takesCommands }: Props) {
  const [chosen, setChosen] = useState<OpenAlert | null>(null)
  // A failed request keeps the last answer; the bar above the page reports that the daemon is unreachable.
  const { value, refresh } = usePolled<OpenAlertsAnswer>(`alerts${query({ position })}`, EVERY_MS)
  const alerts = value?.alerts ?? []
  if (alerts.length === 0 && chosen === null) return null
  const columns: readonly Column<OpenAlert>[] = [
    {
      title: 'Alert',
      kind: 'head',
      cell: ({ code }) => <a href={`/runbook#${encodeURIComponent(code)}`}>{code.replaceAll('-', ' ')}</a>,
    },
    { title: 'What happened', kind: 'text', cell: ({ text }) => text },
    { title: 'Raised', cell: ({ raisedAt }) => shownTime(raisedAt, now) },
    {
      title: 'In hand',
      kind: 'text',
      cell(alert) {
        const { ack } = alert
        if (ack !== null) return `${ack.who}, ${shownTime(ack.at, now)}: ${ack.why}`
        if (!takesCommands) return 'no one yet'
        return (
          <button type="button" onClick={() => setChosen(alert)}>
            Acknowledge
          </button>
        )
      },
    },
  ]
  return (
    <Panel
      id="alerts"
      class="alerts"
      title="Open alerts"
      unit={`${alerts.filter(({ ack }) => ack === null).length} not acknowledged`}
    >
      <DataTable label="Open alerts" columns={columns} rows={alerts} keyOf={({ code }) => code} />
      {chosen !== null && (
        <ConfirmDialog
          title={`Acknowledge ${chosen.code.replaceAll('-', ' ')} of ${position}?`}
          label="Acknowledge"
          isGrave={false}
          command="ack"
          body={{ position, code: chosen.code }}
          onClose={() => {
            setChosen(null)
            refresh()
          }}
        >
          <p>
            You take responsibility for this alert: its reminders and its escalation end. It has no other
            effect.
          </p>
          <p>{chosen.text}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
