import { z } from 'zod'
import type { Contact } from '../../daemon/config/load/contact.ts'
import { PROPOSAL_ANSWERS } from '../../daemon/console/proposals/proposal-bodies.ts'
import type { ProposalView } from '../../daemon/view/proposal-view.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { contactOrExplain } from '../load-or-explain.ts'
import { printable } from '../../base/printable.ts'
import { fail, print, printOutcome } from '../output/print.ts'
import { askDaemon, commandDaemon, operatorName, refusedWithoutDaemon } from '../operator/daemon-client.ts'
import { daemonUrl } from '../../daemon/config/load/contact.ts'
import { type OperateOptions, reasonText } from '../operator/operate.ts'

const NO_DAEMON = 'no daemon runs, and only a daemon keeps proposals: start `run` first'

type ListOptions = Omit<OperateOptions, 'reason'> & { readonly all?: boolean }

/** Prints the open proposals, with the change that each would make. */
export async function listProposals(options: ListOptions): Promise<void> {
  const contact = await contactOrExplain(options)
  if (contact === null) return
  const read = await readProposals(contact)
  if (typeof read === 'string') return fail(options, EXIT_CODE.failed, read)
  const shown = options.all === true ? read : read.filter(({ stage }) => stage === 'open')
  const text = shown.length === 0 ? 'there is no open proposal' : shown.map(textOf).join('\n\n')
  print(options, text, { position: contact.name, proposals: shown })
}

/** Accepts or rejects a proposal. It needs a token, so only the daemon does it. */
export async function answerProposal(
  answer: 'accept' | 'reject',
  options: OperateOptions & { readonly id: string },
): Promise<void> {
  const contact = await contactOrExplain(options)
  if (contact === null) return
  const { id } = options
  const body = { who: operatorName(), why: reasonText(options.reason), id }
  const command = `proposals/${answer}` as const
  const outcome = await commandDaemon(contact, command, body)
  printOutcome(options, outcome ?? refusedWithoutDaemon(contact, command, NO_DAEMON), { id })
}

const refusal = z.object({ message: z.string() })

/** Returns the proposals of this position from its daemon, or why the list is unavailable. */
async function readProposals(contact: Contact): Promise<readonly ProposalView[] | string> {
  const query = contact.name === null ? '' : `?position=${encodeURIComponent(contact.name)}`
  const path = `/api/v1/proposals${query}`
  const answer = await askDaemon(contact, 'GET', path)
  if (answer === null) return NO_DAEMON
  const list = PROPOSAL_ANSWERS.list.safeParse(answer.body)
  if (answer.status === 200 && list.success) return list.data.proposals
  const why = refusal.safeParse(answer.body)
  return why.success ? why.data.message : `the daemon at ${daemonUrl(contact)} does not answer as expected`
}

/** The text is untrusted, so control characters are removed. */
function textOf({
  id,
  kind,
  who,
  why,
  claim,
  differences,
  expiresAt,
  stage,
  needs,
  readers,
  approvers,
  ...one
}: ProposalView): string {
  const until = new Date(expiresAt).toISOString()
  const end =
    stage === 'open'
      ? `open until ${until}; accepting needs a token that may ${needs}${approvers === undefined ? '' : ` (${approvers.join(', ')})`}`
      : stage
  const settled = one.settledBy === null ? '' : ` by ${one.settledBy}: ${one.outcome ?? ''}`
  const lines = [
    `${id}  ${kind}, ${end}${settled}`,
    `  ${who}: ${why}`,
    ...(readers === undefined ? [] : [`  read by ${readers.join(', ')}`]),
    ...differences.map(({ what, from, to }) => `  ${what}: ${from} -> ${to}`),
    ...(claim === '' ? [] : [`  the proposer claims: ${claim}`]),
  ]
  return lines.map(printable).join('\n')
}
