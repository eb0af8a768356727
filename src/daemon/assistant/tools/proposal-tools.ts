import { z } from 'zod'
import type { AssistantPorts, ProposalQuestion, ProposedCommand } from '../ports.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { proposalTool, readTool, type Tool } from '../tool.ts'
import { positionName } from './daemon-tools.ts'
import { changes } from './research-tools.ts'

const why = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .describe('The reason, for the person who decides and for the journal.')
const amount = z
  .string()
  .regex(/^\d{1,30}(\.\d{1,18})?$/, 'expected decimal text such as 250.5')
  .describe('Whole tokens as decimal text.')
const WAITS =
  'The proposal changes nothing: a person sees the difference and decides; it expires after 24 hours.'

type Asked = { readonly position?: string | undefined; readonly why: string }

function leave(
  { daemon }: AssistantPorts,
  asked: Asked,
  action: ProposedCommand,
  client: string,
  claim = '',
): Promise<Result<unknown, string>> {
  const question: ProposalQuestion = { position: asked.position, why: asked.why, claim, action }
  return daemon.propose(question, client)
}

/** The possible proposals. A person can give each as a command without a proposal. */
export const PROPOSAL_TOOLS: readonly Tool[] = [
  readTool(
    'list_proposals',
    'Proposals',
    'The proposals for a position and what people decided, newest first.',
    z.strictObject({
      position: positionName,
      stage: z.enum(['open', 'accepted', 'done', 'failed', 'rejected', 'expired']).optional(),
      limit: z.int().min(1).max(50).default(4).describe('Rows of a page; a row can be long.'),
      after: z.string().max(100).optional().describe('`next` of the previous page.'),
    }),
    async ({ daemon }, { position: name, stage, limit, after }): Promise<Result<unknown, string>> => {
      const read = await daemon.read('proposals', { position: name })
      if (!read.ok) return read
      const list = LIST.safeParse(read.value)
      if (!list.success) return err('the daemon does not answer as expected: is it of another version?')
      const newestFirst = list.data.proposals.toReversed()
      const place = newestFirst.findIndex(({ id }) => id === after)
      if (after !== undefined && place < 0)
        return err('after: this proposal is no longer in the list; omit it to start from the newest')
      const left = newestFirst.slice(place + 1)
      const wanted = left.filter((one) => stage === undefined || one.stage === stage)
      const proposals = wanted.slice(0, limit)
      return ok({ proposals, next: wanted.length > limit ? (proposals.at(-1)?.id ?? null) : null })
    },
  ),
  proposalTool(
    'propose_configuration',
    'Propose a configuration',
    `Proposes values of the strategy, quote or inventory, with their current values and what they would have earned on the journal. ${WAITS} Limits can only be tightened.`,
    z.strictObject({ position: positionName, changes, why }),
    async (ports, asked, client) => {
      const tried = await ports.research.whatIf({ position: asked.position, changes: asked.changes })
      const action = { kind: 'configuration', changes: asked.changes } as const
      return leave(ports, asked, action, client, whatIfText(tried))
    },
  ),
  proposalTool(
    'propose_withdrawal',
    'Propose a withdrawal',
    `Proposes to send tokens to an address that the configuration lists. ${WAITS} The usual rules of withdrawals apply.`,
    z.strictObject({
      position: positionName,
      asset: z.enum(['NTZS', 'USDC', 'USDT', 'USDT.bnb']),
      amount,
      toAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
      why,
    }),
    (ports, asked, client) => {
      const { asset, amount: howMuch, toAddress } = asked
      return leave(ports, asked, { kind: 'withdrawal', asset, amount: howMuch, toAddress }, client)
    },
  ),
  proposalTool(
    'propose_treasury_approval',
    'Propose to approve an intent of the treasury',
    `Proposes to approve the envelope of a planned intent as it is now; get_treasury lists them. ${WAITS}`,
    z.strictObject({ position: positionName, intent: z.string().regex(/^[0-9a-f]{8,64}$/), why }),
    (ports, asked, client) => leave(ports, asked, { kind: 'approval', intent: asked.intent }, client),
  ),
  proposalTool(
    'propose_payout',
    'Propose a payout',
    `Proposes a payout to a payee that the configuration lists. ${WAITS} Another token must also approve it.`,
    z.strictObject({
      position: positionName,
      payee: z.string().min(1).max(100),
      asset: z.enum(['NTZS', 'USDC', 'USDT']),
      amount,
      why,
    }),
    (ports, asked, client) => {
      const { payee, asset, amount: howMuch } = asked
      return leave(ports, asked, { kind: 'payout', payee, asset, amount: howMuch }, client)
    },
  ),
]

const LIST = z.looseObject({ proposals: z.array(z.looseObject({ id: z.string(), stage: z.string() })) })

const total = z.looseObject({ total: z.string() })
const run = z.looseObject({
  from: z.string(),
  to: z.string(),
  fills: z.number(),
  pnl: z.looseObject({ usd: total }),
})
const WHAT_IF = z.looseObject({ running: run, wanted: run })

/** Returns the what-if in one sentence, computed by this program rather than the model. */
function whatIfText(tried: Result<unknown, string>): string {
  if (!tried.ok) return `what-if on the journal: not computed (${tried.error.slice(0, 300)})`
  const parsed = WHAT_IF.safeParse(tried.value)
  if (!parsed.success) return 'what-if on the journal: not computed (its result has another form)'
  const { running, wanted } = parsed.data
  return `what-if on the journal, ${running.from} to ${running.to}: PnL ${running.pnl.usd.total} USD with ${running.fills} fills as it ran, ${wanted.pnl.usd.total} USD with ${wanted.fills} fills as proposed`
}
