import { useEffect, useState } from 'preact/hooks'
import type { ProposalView } from '../../../view/proposal-view.ts'
import { Column, TableHead } from '../frame/table-head.tsx'
import { askApi, query } from '../live/ask-api.ts'
import { timeText } from '../text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = { readonly position: string; readonly now: number; readonly takesCommands: boolean }
type Answer = 'accept' | 'reject'
type Chosen = { readonly answer: Answer; readonly one: ProposalView }

/** What assistants have proposed and nobody has answered: each with what accepting it would change. Nothing = no panel. */
export function ProposalsPanel({ position, now, takesCommands }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { open, problem, refresh } = useProposals(position)
  if (open.length === 0 && chosen === null && problem === null) return null
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
            {one.why} <span class="note">until {timeText(one.expiresAt, now)}</span>
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

const EVERY_MS = 5_000

type OpenProposals = { readonly open: readonly ProposalView[]; readonly problem: string | null }

/** The open proposals of a position, anew every few seconds; `refresh` asks at once. */
function useProposals(position: string): OpenProposals & { readonly refresh: () => void } {
  const [state, setState] = useState<OpenProposals>({ open: [], problem: null })
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    let isOpen = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      const answer = await askApi<{ proposals: readonly ProposalView[] }>(`proposals${query({ position })}`)
      if (!isOpen) return
      if (answer.ok)
        setState({ open: answer.value.proposals.filter(({ stage }) => stage === 'open'), problem: null })
      // Where nothing waited, silence is the other panels' to show.
      else setState(({ open }) => ({ open, problem: open.length === 0 ? null : answer.error.message }))
      timer = setTimeout(() => void ask(), EVERY_MS)
    }
    void ask()
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [position, asked])
  return { ...state, refresh: () => setAsked((count) => count + 1) }
}
