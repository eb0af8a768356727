import { describe, expect, test } from 'vitest'
import { findConflict } from '../../../../src/cli/daemon/run.ts'
import type { LoadedConfig } from '../../../../src/daemon/config/load/loaded-config.ts'
import { Secret } from '../../../../src/daemon/config/source/secret.ts'
import { ENV, load, VALID } from '../../../unit/daemon/config/config-fixture.ts'

const KEY = `0x${'1'.repeat(64)}`
const MAKER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER_MAKER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** A configuration with a store of its own, signing for `maker` where there is one. */
async function config(name: string, maker: string | null): Promise<LoadedConfig> {
  const section =
    maker === null
      ? ''
      : `rfq:
  chainId: 8453
  maker: '${maker}'
  tokens: { NTZS: '0x00000000000000000000000000000000000a11ce', USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
  rpc: { urls: [https://one.example] }
  signer: { envKey: !env MIZANI_KEY, allowInLive: true }
`
  const yaml = VALID.replace(/^name: .*$/m, `name: ${name}`).replace('path: ./data', `path: ./${name}`)
  const loaded = await load(yaml + section, {}, { ...ENV, MIZANI_KEY: KEY, MIZANI_API_KEY: `mm_${name}` })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  // Each was loaded from a folder of its own.
  return { ...loaded.value, store: { ...loaded.value.store, path: `/stores/${name}` } }
}

describe('configurations of one process', () => {
  test('with names, stores and wallets of their own run side by side', async () => {
    const configs = [await config('a', MAKER), await config('b', OTHER_MAKER), await config('c', null)]
    expect(findConflict([...configs, await config('d', null)])).toBeNull()
  })

  test('agree on the guard that watches them, but for those that want none', async () => {
    const [one, two, three] = [await config('a', null), await config('b', null), await config('c', null)]
    const elsewhere = (url: string, own: LoadedConfig): LoadedConfig => ({
      ...own,
      guard: own.guard === null ? null : { ...own.guard, named: { url, port: null } },
    })
    expect(findConflict([{ ...one, guard: null }, two, three])).toBeNull()
    expect(findConflict([{ ...one, guard: null }, two, elsewhere('https://guard.example', three)])).toMatch(
      /guard\.url differs from /,
    )
    const token = new Secret('another token of this guard')
    const keyed: LoadedConfig = { ...two, guard: two.guard === null ? null : { ...two.guard, token } }
    const clash = findConflict([one, keyed])
    expect(clash).toContain('guard.token differs from')
    expect(clash).not.toContain('another token')
  })

  test('may not promise one wallet twice, in whatever letters it is written', async () => {
    const configs = [await config('a', MAKER), await config('b', MAKER.toLowerCase())]
    expect(findConflict(configs)).toMatch(/ 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 on chain 8453;/)
  })

  test('may share a wallet where only one of them signs, or on two chains', async () => {
    const [one, two] = [await config('a', MAKER), await config('b', MAKER)]
    const dryRun: LoadedConfig = { ...two, core: { ...two.core, mode: 'dry-run' } }
    const elsewhere: LoadedConfig = { ...two, core: { ...two.core, rfq: { ...two.core.rfq!, chainId: 56 } } }
    expect(findConflict([one, dryRun])).toBeNull()
    expect(findConflict([one, elsewhere])).toBeNull()
  })

  test('need names and stores of their own, and one HTTP server', async () => {
    const one = await config('a', null)
    const two = await config('b', null)
    expect(findConflict([one, { ...two, core: { ...two.core, name: 'a' } }])).toMatch(/are named a;/)
    expect(findConflict([one, { ...two, store: one.store }])).toMatch(/ \/stores\/a;/)
    expect(findConflict([one, { ...two, http: { ...two.http, port: 1 } }])).toMatch(/http differs/)
    expect(findConflict([one, { ...two, http: { ...two.http, token: new Secret('another') } }])).toMatch(
      /http differs/,
    )
  })

  test('may not move one quote from two sides: a key at a venue is one position, and is not told', async () => {
    const [one, two] = [await config('a', null), await config('b', null)]
    const same: LoadedConfig = {
      ...two,
      apiKey: new Secret(one.apiKey.reveal()),
    }
    expect(findConflict([one, same])).toMatch(/ key at http:[^ ]+; /)
    expect(findConflict([one, same])).not.toContain('mm_')
    expect(findConflict([one, { ...same, core: { ...same.core, mode: 'dry-run' } }])).toBeNull()
    expect(findConflict([one, { ...same, venue: { ...same.venue, baseUrl: 'http://elsewhere' } }])).toBeNull()
  })
})
