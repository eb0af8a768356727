import { useState } from 'preact/hooks'
import type { ProposalView } from '../../../view/proposal-view.ts'
import { Column, TableHead } from '../table-head.tsx'
import { query } from '../live/ask-api.ts'
import { usePolled } from '../live/use-polled.ts'
import { shownTime } from '../text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

const EVERY_MS = 5_000

type Props = { readonly position: string; readonly now: number; readonly takesCommands: boolean }
type Answer = 'accept' | 'reject'
type Chosen = { readonly answer: Answer; readonly one: ProposalView }

/** What assistants have proposed and no one has answered: each with what accepting it would change. Nothing = no panel. */
export function ProposalsPanel({ position, now, takesCommands }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const path = `proposals${query({ position })}`
  const { value, failure, refresh } = usePolled<{ proposals: readonly ProposalView[] }>(path, EVERY_MS)
  const open = value?.proposals.filter(({ stage }) => stage === 'open') ?? []
  // Where nothing waited, silence is the other panels' to show.
  const problem = open.length === 0 ? null : (failure?.message ?? null)
  if (open.length === 0 && chosen === null) return null
  const close = () => {
    setChosen(null)
    refresh()
  }
  return (
    <section class="panel proposals" aria-labelledby="proposals">
      <h2 id="proposals">
        Proposals <span class="unit">{open.length} wait for a person</span>
      </h2>
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
            {(one.approvers ?? []).join(', ') || `a token that may ${one.needs}`}
          </p>
          <Differences one={one} />
          {takesCommands && (
            <div class="buttons">
              <button type="button" onClick={() => setChosen({ answer: 'accept', one })}>
                Accept
              </button>
              <button type="button" onClick={() => setChosen({ answer: 'reject', one })}>
                Reject
              </button>
            </div>
          )}
        </article>
      ))}
      {chosen !== null && <Confirm position={position} chosen={chosen} onClose={close} />}
    </section>
  )
}

function Differences({ one }: { readonly one: ProposalView }) {
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={`Differences of proposal ${one.id}`}>
        <table>
          <TableHead>
            <Column>What</Column>
            <Column>Now</Column>
            <Column>Proposed</Column>
          </TableHead>
          <tbody>
            {one.differences.map(({ what, from, to }) => (
              <tr key={what}>
                <td>{what}</td>
                <td>{from}</td>
                <td>{to}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {one.claim !== '' && <p class="note">The proposer claims: {one.claim}</p>}
    </>
  )
}

const EFFECTS: Readonly<Record<Answer, string>> = {
  accept: 'The command that it stands for is given in your name, and risk decides on it as on every command.',
  reject: 'Nothing is changed; the proposal ends.',
}

type ConfirmProps = {
  readonly position: string
  readonly chosen: Chosen
  readonly onClose: () => void
}

function Confirm({ position, chosen: { answer, one }, onClose }: ConfirmProps) {
  const label = answer === 'accept' ? 'Accept' : 'Reject'
  return (
    <ConfirmDialog
      title={`${label} a proposal for ${position}?`}
      label={label}
      isGrave={answer === 'accept'}
      command={`proposals/${answer}`}
      body={{ position, id: one.id }}
      onClose={onClose}
    >
      <p>{EFFECTS[answer]}</p>
      <Differences one={one} />
    </ConfirmDialog>
  )
}
