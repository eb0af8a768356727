import { describe, expect, test } from 'vitest'
import {
  createHostRenewals,
  type Renewals,
  type RenewalsParts,
} from '../../../../../src/daemon/runtime/lease/renew-leases.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import { load, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

async function config(change: (text: string) => string = (text) => text): Promise<LoadedConfig> {
  const loaded = await load(change(VALID))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value
}

function host() {
  const opened: RenewalsParts[] = []
  const left: (readonly string[])[] = []
  const renewals: Renewals = {
    register: () => new SharedArrayBuffer(8),
    started: () => undefined,
    leave: (names) => Promise.resolve(void left.push(names)),
    close: () => undefined,
  }
  const log = { info: () => undefined, warn: () => undefined }
  const all = [{ name: 'shared', token: 'the token of http', may: ['read'], isShared: true }]
  const own = createHostRenewals({ all, made: null } as never, log, (parts) => {
    opened.push(parts)
    return renewals
  })
  return { own, opened, left, renewals }
}

describe('The renewals of a process', () => {
  test('begin with the first position that wants a guard, whichever that is, and are those of all others', async () => {
    const { own, opened, renewals } = host()
    const without = await config((text) => `${text}guard: null\n`)
    const dry = await config((text) => text.replace('mode: live ', 'mode: dry-run '))
    expect([own.of(without), own.of(dry)]).toEqual([null, null])
    expect(opened).toEqual([])
    expect(own.of(await config())).toBe(renewals)
    expect(own.of(await config())).toBe(renewals)
    expect(own.of(without)).toBeNull()
    expect(opened.map(({ guard, token }) => [guard.url, token()])).toEqual([
      ['http://127.0.0.1:9465', 'the token of http'],
    ])
  })

  test('end for positions that have left, and there is nothing to end where none has begun', async () => {
    const { own, left } = host()
    await own.leave(['desk-1'])
    expect(left).toEqual([])
    own.of(await config())
    await own.leave(['desk-1'])
    expect(left).toEqual([['desk-1']])
  })
})
