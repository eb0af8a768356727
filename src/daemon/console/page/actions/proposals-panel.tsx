import { useState } from 'preact/hooks'
import type { ProposalView } from '../../../view/proposal-view.ts'
import { type Column, DataTable } from '../data-table.tsx'
import { query } from '../live/ask-api.ts'
import { usePolled } from '../live/use-polled.ts'
import { Panel } from '../panel.tsx'
import { shownTime } from '../text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

const EVERY_MS = 5_000

const ANSWERS = {
  accept: {
    label: 'Accept',
    effect: 'Its command is sent in your name, and risk checks it like any other command.',
  },
  reject: { label: 'Reject', effect: 'The proposal ends, and nothing changes.' },
} as const

type Props = { readonly position: string; readonly now: number; readonly takesCommands: boolean }
type Answer = keyof typeof ANSWERS
type Chosen = { readonly answer: Answer; readonly one: ProposalView }

/** Open proposals of assistants, each with the changes that accepting it would make. Renders nothing without proposals. */
export function ProposalsPanel({ position, now, takesCommands }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const path = `proposals${query({ position })}`
  const { value, failure, refresh } = usePolled<{ proposals: readonly ProposalView[] }>(path, EVERY_MS)
  const open = value?.proposals.filter(({ stage }) => stage === 'open') ?? []
  // If nothing was waiting, other panels show that the daemon is silent.
  const problem = open.length === 0 ? null : (failure?.message ?? null)
  if (open.length === 0 && chosen === null) return null
  return (
    <Panel id="proposals" class="proposals" title="Proposals" unit={`${open.length} wait for a person`}>
      {problem !== null && <p class="warn">{problem}</p>}
      {open.map((one) => (
        <article key={one.id} class="intent" aria-label={`Proposal ${one.id}`}>
          <h3>
            {one.kind}, from {one.who}
          </h3>
          <p>
            {one.why} <span class="note">until {shownTime(one.expiresAt, now)}</span>
          </p>
          <p class="note">
            Read by {(one.readers ?? []).join(', ') || 'unknown'}; accepted by{' '}
            {(one.approvers ?? []).join(', ') || `an access key that may ${one.needs}`}
          </p>
          <Differences one={one} />
          {takesCommands && (
            <div class="buttons">
              {(Object.keys(ANSWERS) as Answer[]).map((answer) => (
                <button key={answer} type="button" onClick={() => setChosen({ answer, one })}>
                  {ANSWERS[answer].label}
                </button>
              ))}
            </div>
          )}
        </article>
      ))}
      {chosen !== null && (
        <ConfirmDialog
          title={`${ANSWERS[chosen.answer].label} a proposal for ${position}?`}
          label={ANSWERS[chosen.answer].label}
          isGrave={chosen.answer === 'accept'}
          command={`proposals/${chosen.answer}`}
          body={{ position, id: chosen.one.id }}
          onClose={() => {
            setChosen(null)
            refresh()
          }}
        >
          <p>{ANSWERS[chosen.answer].effect}</p>
          <Differences one={chosen.one} />
        </ConfirmDialog>
      )}
    </Panel>
  )
}

const DIFFERENCES: readonly Column<ProposalView['differences'][number]>[] = [
  { title: 'What', kind: 'text', cell: ({ what }) => what },
  { title: 'Now', cell: ({ from }) => from },
  { title: 'Proposed', cell: ({ to }) => to },
]

function Differences({ one }: { readonly one: ProposalView }) {
  return (
    <>
      <DataTable
        label={`Differences of proposal ${one.id}`}
        columns={DIFFERENCES}
        rows={one.differences}
        keyOf={({ what }) => what}
      />
      {one.claim !== '' && <p class="note">The proposer claims: {one.claim}</p>}
    </>
  )
}
