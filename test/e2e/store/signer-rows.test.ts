import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { LoadedConfig } from '../../../src/daemon/config/load/loaded-config.ts'
import type { RfqSettings } from '../../../src/core/rfq/rfq-settings.ts'
import { openSharedSigning } from '../../../src/daemon/runtime/effects/shared-signing.ts'
import type { SigningPolicy } from '../../../src/custody/signing/policy/signing-policy.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings } from '../../support/postgres.ts'
import {
  BASE,
  MAKER,
  policyStore,
  signableOrder,
  signingWall,
  SOLVER,
  usd,
} from '../../support/signing-fixture.ts'
import { valueOf } from '../../unit/store/store-fixture.ts'
import {
  asAdministrator,
  freshPlace,
  open,
  startServer,
  stopServer,
} from '../../contract/store/both-stores.ts'

const freshPostgres = () => freshPlace('PostgreSQL') as PostgresPlace

const fenceOf = async (place: PostgresPlace): Promise<number> => {
  const [row] = await asAdministrator(
    place,
    `SELECT n FROM mizani.fence WHERE position = '${place.position}'`,
  )
  return Number(row?.['n'])
}

/** The signer of one machine: a file of its own, and the rows of the position. */
async function machine(
  place: PostgresPlace,
  solver: typeof SOLVER | null,
  policy: Partial<SigningPolicy> = {},
) {
  const store = policyStore(join(mkdtempSync(join(tmpdir(), 'mizani-policy-')), 'signer.sqlite'), solver)
  onTestFinished(() => store.close())
  const fence = await fenceOf(place)
  const config = { store: { place } } as LoadedConfig
  const shared = openSharedSigning(config, { maker: MAKER, ...BASE } as RfqSettings, () => fence)
  if (shared === null) throw new Error('the store is a folder')
  onTestFinished(shared.close)
  const { wall } = signingWall({ store, shared, policy })
  async function sign(salt: bigint): Promise<string> {
    const order = signableOrder({ salt, takerAmount: 1_000_000n + salt })
    const permit = await wall.permit({ order, domain: BASE }, MAKER)
    return permit.ok ? 'signed' : permit.error.code
  }
  return { store, shared, sign }
}

describe.skipIf(needs('initdb', postgresSurroundings()))(
  'the signers of a position on several machines',
  () => {
    beforeAll(async () => void (await startServer()))
    afterAll(stopServer)

    /** A position that a daemon holds. */
    async function held(): Promise<PostgresPlace> {
      const place = freshPostgres()
      valueOf(await open(place))
      return place
    }

    test('sign for the solver that was pinned on one of them, and stop where one of them was stopped', async () => {
      const place = await held()
      const a = await machine(place, SOLVER)
      expect(await a.sign(1n)).toBe('signed')
      const b = await machine(place, null)
      expect(await b.sign(2n)).toBe('signed')
      expect(await a.shared.setStopAt(0)).toEqual({ ok: true, value: null })
      expect([await a.sign(3n), await b.sign(3n)]).toEqual(['SIGN_STOPPED', 'SIGN_STOPPED'])
      // What a file has is a stop of its own: lifting it for all lifts none that stands there.
      a.store.setStopAt(0)
      await b.shared.setStopAt(null)
      expect([await a.sign(3n), await b.sign(3n)]).toEqual(['SIGN_STOPPED', 'signed'])
    })

    test('have a stop that one of them brings along where nothing was set before, and keep one that was set', async () => {
      const place = await held()
      const a = await machine(place, SOLVER)
      a.store.setStopAt(0)
      expect(await a.sign(1n)).toBe('SIGN_STOPPED')
      // Its store moved here with its file: the machine that comes next knows of the stop.
      expect(await (await machine(place, null)).sign(1n)).toBe('SIGN_STOPPED')
      // A machine that knows of no stop loosens none.
      const c = await machine(place, SOLVER)
      expect(await c.sign(1n)).toBe('SIGN_STOPPED')
      expect(await c.shared.read()).toEqual({ ok: true, value: { solver: SOLVER, stopAt: 0 } })
    })

    test('count together what they have signed', async () => {
      const place = await held()
      const limits = { maxOutstandingUsd: usd(3) }
      const a = await machine(place, SOLVER, limits)
      expect([await a.sign(1n), await a.sign(2n)]).toEqual(['signed', 'signed'])
      const b = await machine(place, SOLVER, limits)
      expect(await b.sign(3n)).toBe('SIGN_OUTSTANDING_LIMIT')
      expect([...b.store.state.signed.keys()].sort()).toEqual(['1', '2'])
    })

    test('sign nothing where another daemon was granted the position: the row of what was signed is under the fence', async () => {
      const place = await held()
      const a = await machine(place, SOLVER)
      expect(await a.sign(1n)).toBe('signed')
      await asAdministrator(place, `UPDATE mizani.fence SET n = n + 1 WHERE position = '${place.position}'`)
      expect(await a.sign(2n)).toBe('SIGN_STATE_FAILED')
      expect(a.store.state.signed.has('2')).toBe(false)
    })

    test('keep wallets apart, and are refused with words where the secret of the database is not set', async () => {
      const place = await held()
      await (await machine(place, SOLVER)).sign(1n)
      const other = openSharedSigning(
        { store: { place } } as LoadedConfig,
        { maker: SOLVER, ...BASE } as RfqSettings,
        () => 0,
      )
      onTestFinished(async () => other?.close())
      expect(await other?.read()).toEqual({ ok: true, value: { solver: null, stopAt: null } })
      const nowhere = openSharedSigning(
        { store: { place: { ...place, url: '' } } } as LoadedConfig,
        { maker: MAKER, ...BASE } as RfqSettings,
        () => 0,
      )
      expect(await nowhere?.setStopAt(0)).toMatchObject({
        ok: false,
        error: expect.stringContaining('secret that store.postgres names') as string,
      })
    })
  },
)
