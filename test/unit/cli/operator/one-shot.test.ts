import { afterEach, expect, test } from 'vitest'
import { clientUnder } from '../../../../src/cli/operator/one-shot.ts'
import type { LoadedConfig } from '../../../../src/daemon/config/load/loaded-config.ts'
import { renewalSide } from '../../../../src/core/lease/shared-renewal.ts'
import { DEFAULT_TERMS } from '../../../../src/core/lease/terms.ts'
import { createPositionHold } from '../../../../src/daemon/runtime/lease/position-hold.ts'
import { SYSTEM_TIMING } from '../../../../src/base/threads/timing.ts'
import { scriptedServer, sendJson } from '../../venue/scripted-server.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()))
})

test('a command without a daemon withdraws and deactivates only while it holds the position, and reads at any time', async () => {
  const server = await scriptedServer((response) => sendJson(response, { id: 'x' }))
  const hold = createPositionHold(DEFAULT_TERMS)
  const client = clientUnder(hold, {
    venue: { kind: 'lp', baseUrl: server.url },
    apiKey: { reveal: () => 'mm_test' },
    withdraw: { enabled: true },
    core: { mode: 'live' },
  } as unknown as LoadedConfig)
  opened.push(client, server)
  const changes = async () => {
    const answers = [
      await client.perform({ type: 'activate', id: 1, isActive: false }, Date.now),
      await client.perform(
        { type: 'withdraw', id: 2, asset: 'USDC', amount: 1_000_000n, toAddress: `0x${'1'.repeat(40)}` },
        Date.now,
      ),
    ]
    return answers.map(
      (event) => event.type === 'requestFailed' && event.failure.message.includes('before it was sent'),
    )
  }

  await client.account()
  expect(await changes()).toEqual([true, true])
  const renewed = renewalSide(hold.buffer)
  const now = SYSTEM_TIMING.moment()
  renewed.renewed(7, now)
  expect(await changes()).toEqual([false, false])
  renewed.renewed(7, { steadyMs: now.steadyMs - 60_000, wallMs: now.wallMs - 60_000 })
  expect(await changes()).toEqual([true, true])
  expect(server.seen.map(({ method }) => method).filter((method) => method === 'GET')).toHaveLength(1)
  expect(server.seen).toHaveLength(3)
})
