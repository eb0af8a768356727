import { randomInt, randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { onTestFinished } from 'vitest'
import type { SandboxOptionsInput } from '../../../src/simulator/sandbox/options.ts'
import { startSandbox, type SandboxServer } from '../../../src/simulator/sandbox/server/server.ts'
import { createPartnerClient, type PartnerClient } from '../../../src/treasury/api/client.ts'
import type { PartnerOutcome, RefusedOutcome } from '../../../src/treasury/api/outcome.ts'

/** Somewhere that speaks the partner API: the simulated venue, and the sandbox that PARTNER_URL and PARTNER_KEY name. */
export type Place = {
  readonly name: string
  /** `speed`: of the simulated time; 0 = it stands still, and what takes time is never answered. */
  readonly open: (speed?: number) => Promise<PartnerClient>
}

const { PARTNER_URL = '', PARTNER_KEY = '' } = process.env

type Simulated = {
  readonly box: SandboxServer
  readonly client: PartnerClient
  readonly routes: string[]
  readonly control: (path: string, body: object) => Promise<void>
}

/** The simulated venue whose time stands still, until the end of the test; its client, and how its control API is asked. */
export async function simulated(options: SandboxOptionsInput = {}, apiKey?: string): Promise<Simulated> {
  const place = await openSimulated(options, apiKey)
  onTestFinished(() => place.close())
  return place
}

/** The same, for a caller that closes it. */
export async function openSimulated(
  options: SandboxOptionsInput = {},
  apiKey = 'svc_test_sandbox',
): Promise<Simulated & { readonly close: () => Promise<void> }> {
  const box = await startSandbox({ port: 0, seed: 14, speed: 0, ...options })
  const routes: string[] = []
  const client = createPartnerClient(
    { baseUrl: box.url, requestTimeoutMs: 20_000 },
    { apiKey },
    { random: () => 0, onRequest: (route) => routes.push(route) },
  )
  const control = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${box.url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const close = async (): Promise<void> => {
    await client.close()
    await box.close()
  }
  return { box, client, routes, control, close }
}

/** Where the portable part of the suite runs. */
export const PLACES: readonly Place[] = [
  { name: 'the simulated venue', open: async (speed = 0) => (await simulated({ speed })).client },
  ...(PARTNER_URL === '' || PARTNER_KEY === ''
    ? []
    : [
        {
          name: `the sandbox of PARTNER_URL (${PARTNER_URL})`,
          open: () => {
            if (!PARTNER_KEY.startsWith('svc_test_'))
              throw new Error('PARTNER_KEY is no test key: nothing was sent')
            const client = createPartnerClient({ baseUrl: PARTNER_URL }, { apiKey: PARTNER_KEY })
            onTestFinished(() => client.close())
            return Promise.resolve(client)
          },
        },
      ]),
]

/** The value of an outcome that must be an answer. */
export function valueOf<Answer>(outcome: PartnerOutcome<Answer>): Answer {
  if (outcome.kind !== 'answered') throw new Error(`${outcome.kind}: ${outcome.words}`)
  return outcome.value
}

/** The refusal of an outcome that must be one. */
export function refusalOf(outcome: PartnerOutcome<unknown>): RefusedOutcome {
  if (outcome.kind !== 'refused') throw new Error(`not refused: ${inspect(outcome)}`)
  return outcome
}

/** A person whom no one has registered before. `ending` is the last digits of the NIDA number. */
export function person(ending = '00001'): {
  externalId: string
  email: string
  name: string
  phone: string
  nidaNumber: string
} {
  const digits = (count: number) => Array.from({ length: count }, () => randomInt(1, 9)).join('')
  return {
    externalId: randomUUID(),
    email: `${digits(8)}@example.com`,
    name: 'Amina Kimaro',
    phone: `25575${digits(7)}`,
    nidaNumber: `${digits(20 - ending.length)}${ending}`,
  }
}

/** A verified user with so many shillings, which a phone has paid in. */
export async function fundedUser(
  client: PartnerClient,
  amountTzs: bigint,
): Promise<{ readonly id: string; readonly walletAddress: string }> {
  const { id, walletAddress } = valueOf(await client.createUser(person()))
  if (walletAddress === null) throw new Error('the user has no wallet')
  if (amountTzs > 0n) {
    const paid = { amountTzs, userId: id, phoneNumber: '255754000333' }
    valueOf(await client.createDeposit(paid))
    valueOf(await client.advance({}))
  }
  return { id, walletAddress }
}

/** A client of a place, with a user who has this much. */
export async function funded(
  open: Place['open'],
  amountTzs: bigint,
): Promise<{ readonly client: PartnerClient; readonly userId: string; readonly walletAddress: string }> {
  const client = await open()
  const { id: userId, walletAddress } = await fundedUser(client, amountTzs)
  return { client, userId, walletAddress }
}
