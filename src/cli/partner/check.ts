import { createHmac } from 'node:crypto'
import type { PartnerClient } from '../../treasury/api/client.ts'
import type { PartnerOutcome } from '../../treasury/api/outcome.ts'
import { modeOf } from '../../treasury/api/testmode/testmode.ts'
import {
  WEBHOOK_SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
  verifyWebhookSignature,
} from '../../treasury/webhooks/signature.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { fail, print } from '../output/print.ts'
import { alignColumns } from '../output/tables.ts'
import { partnerAccess, withPartner, type PartnerOptions } from './open-partner.ts'
import { probeCapabilities, type Probed } from '../../treasury/api/testmode/probe-capabilities.ts'
import { answerLines, shownAnswer } from './show-answer.ts'

type Finding = {
  readonly what: string
  /** Only `bad` makes the command fail. */
  readonly status: 'ok' | 'off' | 'bad' | 'unknown'
  readonly words: string
}

const MINIMUMS =
  'whole shillings: deposit 500, withdrawal 5,000 net, spend 500, merchant payment 100; below 1,000,000 for bank payouts and spend; before KYB 100,000 in and 100,000 out'

/** Reports the permissions of the key, from requests that cannot move money. Exit code 3 if a permission is missing or refused. */
export async function partnerCheck(options: PartnerOptions): Promise<void> {
  const access = await partnerAccess(options, { needsKey: true })
  if (access === null) return
  await withPartner(access, async (client) => {
    const first = await client.rampBalance({})
    const blocked = blockedBy(first)
    if (blocked !== null) return fail(options, EXIT_CODE.unconfirmed, blocked)
    const probed = await probeCapabilities(client, first)
    const findings = [
      await testOrLive(client, access.apiKey ?? ''),
      ...probed.map(findingOf),
      kybOf(probed),
      { what: 'allow-list', status: 'ok', words: 'requests from this address are accepted' } as const,
      floatOf(first),
      await treasuryUserOf(client, access.userId),
      { what: 'minimums', status: 'ok', words: MINIMUMS } as const,
      ...webhookFindings(access.webhookSecrets),
    ]
    const isBad = findings.some(({ status }) => status === 'bad')
    const rows = findings.map(({ what, status, words }) => [status.toUpperCase(), what, words])
    const text = alignColumns(rows, () => true)
      .map((line) => line.trimEnd())
      .join('\n')
    if (isBad) return fail(options, EXIT_CODE.refused, text, { findings })
    print(options, text, { findings, exitCode: EXIT_CODE.ok })
  })
}

/** Returns why every request with this key fails; null = requests succeed. */
function blockedBy(outcome: PartnerOutcome<unknown>): string | null {
  if (outcome.kind === 'unknown') return `the partner API is not reached: ${outcome.words}`
  if (outcome.kind !== 'refused') return null
  if (outcome.status === 401) return `the key is not accepted: ${outcome.words}`
  return outcome.code === 'ip_not_allowed' ? `the allow-list refuses this address: ${outcome.words}` : null
}

/** Detects test or live mode by the venue's statement, and by the key's prefix, after the operator's name. Unknown counts as LIVE. */
async function testOrLive(client: PartnerClient, apiKey: string): Promise<Finding> {
  const outcome = await client.testmode({})
  const mode = modeOf(outcome)
  const [, prefix = null] = /^[A-Za-z\d]+_(live|test)_/.exec(apiKey) ?? []
  const what = 'test or live'
  const differs = prefix !== null && mode !== null && prefix !== mode
  const odd = differs ? `; its prefix is that of a ${prefix} key` : ''
  if (mode === 'live') return { what, status: differs ? 'bad' : 'ok', words: `LIVE: real money moves${odd}` }
  if (mode === null) {
    const why = outcome.kind === 'answered' ? 'the venue does not state its mode' : outcome.words
    return { what, status: 'unknown', words: `counts as LIVE: ${why}` }
  }
  const lines = outcome.kind === 'answered' ? answerLines(shownAnswer(outcome.value)) : []
  // Headings of inner records and numbers of a list are meaningless without the lines below them.
  const rails = lines.map((line) => line.trim()).filter((line) => !/:$|^\d+\.$/.test(line))
  const words = `a test key: nothing real moves (${rails.join(', ')})${odd}`
  return { what, status: differs ? 'bad' : 'ok', words }
}

function findingOf({ capability, has, words }: Probed): Finding {
  const status = has === null ? 'unknown' : has ? 'ok' : 'off'
  return { what: `capability ${capability}`, status, words }
}

function kybOf(probed: readonly Probed[]): Finding {
  const refused = probed.find(({ code }) => code === 'kyb_required')
  return refused === undefined
    ? { what: 'KYB', status: 'ok', words: 'no request was refused for it' }
    : { what: 'KYB', status: 'bad', words: `not approved: ${refused.words}` }
}

function floatOf(outcome: PartnerOutcome<{ usdcBalance: bigint; tokenBalance: bigint | null }>): Finding {
  const what = 'ramp float'
  if (outcome.kind !== 'answered') return { what, status: 'off', words: outcome.words }
  const { usdcBalance, tokenBalance } = outcome.value
  const shown = shownAnswer({ usdcBalance, tokenBalance: tokenBalance ?? 0n }) as Record<string, string>
  const returned =
    (tokenBalance ?? 0n) > 0n ? `, and ${shown['tokenBalance']} TZS that a failed payout returned` : ''
  const words = `${shown['usdcBalance']} USDC${returned}`
  return { what, status: usdcBalance > 0n ? 'ok' : 'off', words }
}

async function treasuryUserOf(client: PartnerClient, userId: string | null): Promise<Finding> {
  const what = 'treasury user'
  if (userId === null)
    return { what, status: 'unknown', words: 'treasury.userId is known with --config alone' }
  const outcome = await client.readUser({ id: userId })
  if (outcome.kind !== 'answered') return { what, status: 'bad', words: outcome.words }
  const { kycStatus, walletAddress } = outcome.value
  const { balanceTzs, balanceUsdc } = shownAnswer(outcome.value) as Record<string, string | null>
  if (walletAddress === null)
    return { what, status: 'bad', words: `KYC ${kycStatus ?? 'not stated'}, and it has no wallet yet` }
  const words = `KYC ${kycStatus ?? 'not stated'}, wallet ${walletAddress}, ${balanceTzs ?? '?'} TZS, ${balanceUsdc ?? '?'} USDC`
  return { what, status: 'ok', words }
}

const SAMPLE = '{"type":"deposit.completed","data":{"livemode":false}}'
const TOLERANCE_MS = 300_000

/** Signs a sample like the venue and verifies it like the listener, which detects a secret with a stray space. */
function webhookFindings(secrets: readonly string[]): readonly Finding[] {
  if (secrets.length === 0) {
    const words = 'no secret is given (treasury.webhooks.secrets, PARTNER_WEBHOOK_SECRET): polling alone'
    return [{ what: 'webhooks', status: 'off', words }]
  }
  return secrets.map((secret, index) => {
    const what = `webhook secret ${index + 1}`
    if (secret.trim() !== secret)
      return { what, status: 'bad', words: 'begins or ends with white space, so no signature will match' }
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', secret).update(`${timestamp}.${SAMPLE}`).digest('hex')
    const delivery = {
      headers: { [WEBHOOK_SIGNATURE_HEADER]: [signature], [TIMESTAMP_HEADER]: [timestamp] },
      rawBody: Buffer.from(SAMPLE),
    }
    const verified = verifyWebhookSignature(delivery, { secrets, toleranceMs: TOLERANCE_MS, now: Date.now() })
    return verified.ok
      ? { what, status: 'ok', words: 'a sample was signed with it and verified' }
      : { what, status: 'bad', words: `a sample signed with it is refused: ${verified.error}` }
  })
}
