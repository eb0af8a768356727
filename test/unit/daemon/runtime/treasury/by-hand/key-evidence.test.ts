import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeJson } from '../../../../../../src/base/codec.ts'
import { isKeyProven } from '../../../../../../src/daemon/runtime/treasury/by-hand/key-evidence.ts'
import type { PartnerAccess } from '../../../../../../src/cli/partner/open-partner.ts'
import { TRANSFER, TreasuryHarness, VENUE } from '../../../../../support/treasury-harness.ts'
import { freshFolder, openHere } from '../../../../store/store-fixture.ts'
import { valueOf } from '../../../../venue/read-answer.ts'

const ID = 'a'.repeat(32)
const SETTINGS = { baseUrl: VENUE.replace('/api/v1', ''), prefix: '/api/v1' } as Parameters<
  typeof isKeyProven
>[1]

/** What a command knows of a venue whose transfers the daemon saw to honour a live key. */
async function access(keysHonoured: readonly string[] = []): Promise<PartnerAccess> {
  const harness = new TreasuryHarness()
  harness.plan(ID, TRANSFER)
  harness.prepare(ID, 0)
  harness.answer(ID, 0, { replayed: true })
  const folder = join(freshFolder(), 'data')
  const store = valueOf(await openHere(folder))
  harness.events.forEach((event, index) =>
    store.treasury.append({ seq: index + 1, t: event.t, type: event.type, body: encodeJson(event) }),
  )
  await store.close()
  return { keysHonoured, config: { store: { place: folder } } } as unknown as PartnerAccess
}

test("a command relies on a key where the daemon's journal has the venue honour it: same address, mode and route", async () => {
  const known = await access()
  expect(isKeyProven(known, SETTINGS, 'live', 'POST /transfers')).toBe(true)
  expect(isKeyProven(known, SETTINGS, 'test', 'POST /transfers')).toBe(false)
  expect(isKeyProven(known, SETTINGS, null, 'POST /transfers')).toBe(false)
  expect(isKeyProven(known, SETTINGS, 'live', 'POST /withdrawals')).toBe(false)
  const other = { ...SETTINGS, baseUrl: 'https://other.example' }
  expect(isKeyProven(known, other, 'live', 'POST /transfers')).toBe(false)
})

test('a command relies on a key without evidence only where the configuration names the route', async () => {
  const none = { keysHonoured: ['POST /withdrawals'], config: null } as unknown as PartnerAccess
  expect(isKeyProven(none, SETTINGS, 'test', 'POST /withdrawals')).toBe(true)
  expect(isKeyProven(none, SETTINGS, 'test', 'POST /transfers')).toBe(false)
})
