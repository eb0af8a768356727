import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from 'yaml'
import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { addressOf, getOnce, openHttpClient } from '../../../base/http/client.ts'

/** The provider's own partner user at the simulated venue, and the destination wallet of top-ups. */
export type DemoPartner = { readonly userId: string; readonly address: string; readonly lpWallet: string }

export const PARTNER_KEY = 'svc_test_sandbox'
/** The demo daemon's port for the venue's webhooks, unless it is taken. */
export const WEBHOOK_PORT = 9_465
const SECRET_FILE = 'webhook.secret'
/** The provider's wallet if the venue's configuration has none. */
const LP_WALLET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** The bank account that pays the refills. */
const PAYER_ACCOUNT = '0150987654321'
/** The two people who must both approve a payout. */
const PEOPLE = ['amina', 'baraka'] as const

/** The real time of every step at the venue: long enough to see it in transit, and for a kill -9 during it. */
const STEP_MS = 2_000
const LEAST_SETTLE_MS = 3_000
/** The real time without takers: several times the second after which an idle machine plans the first refill. */
const QUIET_MS = 5_000

/**
 * The venue's options: the position opens with few shillings, and no taker brings any before the first refill is planned. `speed`
 * is in simulated seconds per second.
 */
export function treasuryVenue(webhookSecret: string, speed: number): object {
  const settleMs = Math.max(LEAST_SETTLE_MS, STEP_MS * speed)
  return {
    opening: { NTZS: '1500000', USDC: '12000', USDT: '4000' },
    quietMs: QUIET_MS * speed,
    walletAddress: LP_WALLET,
    partner: { apiKey: PARTNER_KEY, webhookSecret, settings: { settleMs } },
  }
}

/** Creates a secret with which one venue signs its webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`
}

/** Stores the secret next to the configuration, which names its file. */
export function keepWebhookSecret(folder: string, secret: string): void {
  writeFileSync(join(folder, SECRET_FILE), `${secret}\n`, { mode: 0o600 })
}

/** Registers the receiver of webhooks at the venue, which resends those that it sent before the daemon listens. */
export async function receiveWebhooks(url: string, port: number): Promise<Result<void, string>> {
  const http = openHttpClient({ connections: 1, timeoutMs: 5_000, maxBytes: 100_000, onTooLarge: 'fail' })
  try {
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}/` })
    const headers = { 'content-type': 'application/json' }
    const address = addressOf(`${url}/sandbox/partner/webhooks`)
    const answer = await http.send({ ...address, method: 'POST', headers, body })
    if (answer.ok && answer.value.status === 200) return ok(undefined)
    const why = answer.ok ? answer.value.text : answer.error.words
    return err(`the simulated venue at ${url} takes no receiver of webhooks: ${why}`)
  } finally {
    await http.close()
  }
}

const partnerState = z.object({
  partner: z.object({
    keys: z.array(
      z.object({
        apiKey: z.string(),
        owner: z.object({ userId: z.string(), walletAddress: z.string() }).nullable(),
      }),
    ),
  }),
})

/** Reads the provider's own user from the venue. Errors are sentences. */
export async function readDemoPartner(url: string): Promise<Result<DemoPartner, string>> {
  const limits = { timeoutMs: 5_000, maxBytes: 10_000_000, onTooLarge: 'fail' } as const
  const answer = await getOnce(`${url}/sandbox/state`, limits)
  const state = answer.ok ? partnerState.safeParse(JSON.parse(answer.value.text)) : null
  const key = state?.data?.partner.keys.find(({ apiKey }) => apiKey === PARTNER_KEY)
  if (key?.owner == null) return err(`the simulated venue at ${url} shows no partner user`)
  const { userId, walletAddress } = key.owner
  return ok({ userId, address: walletAddress, lpWallet: LP_WALLET })
}

/**
 * Gives the demo's configuration a treasury that keeps its shillings within a band: refills from the bank need no approval,
 * payouts need both people. The payee is already admitted, which skips the one-day wait of a new payee.
 */
export function configureTreasury(
  document: Document,
  url: string,
  { userId, address, lpWallet }: DemoPartner,
  webhookPort: number,
): void {
  const fromFile = (path: string) => {
    const scalar = document.createNode(path)
    scalar.tag = '!file'
    return scalar
  }
  const fromEnv = (name: string) => {
    const scalar = document.createNode(name)
    scalar.tag = '!env'
    return scalar
  }
  const may = ['read', 'operate', 'withdraw', 'approve']
  const tokens = PEOPLE.map((name) => ({ name, token: fromFile(tokenFile(name)), may }))
  document.setIn(['http', 'tokens'], document.createNode(tokens))
  const withdraw = {
    enabled: true,
    destinations: [address],
    maxPerDay: { NTZS: '50000000', USDC: '20000' },
  }
  document.setIn(['withdraw'], document.createNode(withdraw))
  const treasury = {
    partner: { baseUrl: url, apiKey: fromEnv('MIZANI_PARTNER_KEY') },
    userId,
    lpWallet,
    mode: 'live',
    payerAccountNumber: PAYER_ACCOUNT,
    transferCaps: { perTransaction: '1000000', perDay: '2000000' },
    policy: {
      // A refill exceeds one transfer's limit but not a day's.
      bands: { NTZS: { target: '3000000', refillBelow: '2000000', skimAbove: '20000000' } },
      routes: ['bank-deposit', 'rebalance', 'payout'],
      caps: [{ route: 'payout', perDay: { NTZS: '5000000' } }],
      leadTimeMs: 60_000,
      profitsTo: 'house-bank',
    },
    payees: [
      { name: 'house-bank', bank: { bankCode: 'CRDB', accountNumber: '0150123456745' }, admitted: true },
    ],
    approval: { people: 2, freeRefill: { NTZS: '20000000' } },
    webhooks: { host: '127.0.0.1', port: webhookPort, secrets: [fromFile(SECRET_FILE)] },
    pollEveryMs: 1_000,
    supplyEveryMs: 60_000,
  }
  document.setIn(['treasury'], document.createNode(treasury))
}

/** Returns the tokens of the two people by name, created once in this folder and readable only by its owner. */
export function demoTokens(folder: string): readonly { readonly name: string; readonly token: string }[] {
  return PEOPLE.map((name) => {
    const file = join(folder, tokenFile(name))
    if (!existsSync(file)) writeFileSync(file, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
    return { name, token: readFileSync(file, 'utf8').trim() }
  })
}

function tokenFile(name: string): string {
  return `${name}.token`
}
