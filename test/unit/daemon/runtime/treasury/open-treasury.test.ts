import { afterEach, expect, test } from 'vitest'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { createPositionHold } from '../../../../../src/daemon/runtime/lease/position-hold.ts'
import { partnerClientOf } from '../../../../../src/daemon/runtime/treasury/open-treasury.ts'
import { renewalSide } from '../../../../../src/core/lease/shared-renewal.ts'
import { DEFAULT_TERMS } from '../../../../../src/core/lease/terms.ts'
import { SYSTEM_TIMING } from '../../../../../src/base/threads/timing.ts'
import { scriptedServer, sendJson } from '../../../venue/scripted-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()))
})

test('a treasury whose position several daemons may hold sends a payment only while this one holds it', async () => {
  const server = await scriptedServer((response) => sendJson(response, { id: 'w1', status: 'burned' }, 201))
  const hold = createPositionHold(DEFAULT_TERMS)
  const partner = { baseUrl: server.url, allowPlainHttp: false, requestTimeoutMs: null, prefix: '/v1' }
  const treasury = { partner, apiKey: { reveal: () => 'svc_test' } } as unknown as NonNullable<
    LoadedConfig['treasury']
  >
  const client = partnerClientOf(treasury, { hold })
  opened.push(client, server)
  const pay = (key: string) =>
    client.transmit({ endpoint: 'createWithdrawal', key, body: '{"amountTzs":990000,"userId":"u1"}' })

  expect(await pay('before-the-grant')).toMatchObject({ kind: 'unknown', sent: 'no' })
  const renewed = renewalSide(hold.buffer)
  const now = SYSTEM_TIMING.moment()
  renewed.renewed(7, now)
  expect(await pay('held')).toMatchObject({ kind: 'answered' })
  renewed.renewed(7, { steadyMs: now.steadyMs - 60_000, wallMs: now.wallMs - 60_000 })
  expect(await pay('woken-up-late')).toMatchObject({ kind: 'unknown', sent: 'no' })
  // At the address of the configuration, its prefix included.
  expect(server.seen).toMatchObject([{ url: '/v1/withdrawals' }])
  expect(server.seen).toHaveLength(1)
})
