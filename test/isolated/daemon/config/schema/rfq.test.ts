import { writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectGolden, goldenJson } from '../../../../support/expect-golden.ts'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { formatProblem } from '../../../../../src/daemon/config/source/problem.ts'
import { loadConfig } from '../../../../../src/daemon/config/load/load-config.ts'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import {
  ENV,
  expectRefusals,
  folderWith,
  load,
  problemsOf,
  STRATEGIES,
  VALID,
} from '../../../../unit/daemon/config/config-fixture.ts'

const MAKER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const NTZS = '0x00000000000000000000000000000000000a11ce'
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const RPC = 'https://base.example/v2/secret-part-of-the-path'
const KEYS = { ...ENV, MIZANI_RPC: RPC, MIZANI_KEY: KEY }

const SECTION = `rfq:
  chainId: 8453
  maker: '${MAKER}'
  tokens: { NTZS: '${NTZS}', USDC: '${USDC}' }
  rpc: { urls: [https://one.example, !env MIZANI_RPC] }
  signer: { envKey: !env MIZANI_KEY, allowInLive: true }
`

/** The section with one piece replaced, below a valid configuration; its first line is line 16. */
function text(from = '', to = ''): string {
  if (!SECTION.includes(from)) throw new Error(`the section has no ${from}`)
  return VALID + SECTION.replace(from, to)
}

async function loaded(yaml: string, env: Record<string, string> = KEYS): Promise<LoadedConfig> {
  const result = await load(yaml, {}, env)
  if (!result.ok) throw new Error(result.error.map(formatProblem).join('\n'))
  return result.value
}

describe('the longest life of any order', () => {
  const lives = async (yaml: string) => {
    const { core, rfq } = await loaded(yaml)
    return [core.rfq?.maxLifeMs, rfq?.limits.maxLifeMs]
  }

  test('is two minutes where a guard may watch, which is wherever it is not switched off', async () => {
    expect(await lives(text())).toEqual([120_000, 120_000])
    expect(await lives(`${text()}guard: { waitMs: 6000 }\n`)).toEqual([120_000, 120_000])
  })

  test('is the 15 minutes of the signer without a guard, and what is configured with either', async () => {
    expect(await lives(`${text()}  expiryMs: 900000\nguard: null\n`)).toEqual([900_000, 900_000])
    expect(await lives(`${text()}  expiryMs: 300000\n  maxLifeMs: 300000\n`)).toEqual([300_000, 300_000])
    expect(await lives(`${text()}  maxLifeMs: 200000\nguard: null\n`)).toEqual([200_000, 200_000])
  })
})

describe('a section of self-custody', () => {
  test('has the issued defaults, addresses in lower case, and nothing of the key or the endpoints in the core', async () => {
    const { core, rfq } = await loaded(text())
    await expectGolden('config/rfq', goldenJson({ core: core.rfq, rfq }))
    expect(rfq?.rpc.urls.map((url) => url.reveal())).toEqual(['https://one.example', RPC])
  })

  test('puts twice and five times what may be outstanding at risk in an hour and a day, unless it says', async () => {
    const { rfq } = await loaded(`${text()}  maxOutstandingUsd: 2000\n`)
    expect(rfq?.limits).toMatchObject({
      maxAtRiskUsdPerHour: 4_000n * 10n ** 18n,
      maxAtRiskUsdPerDay: 10_000n * 10n ** 18n,
    })
  })

  test.each(['', 'rfq: null\n', 'rfq:\n'])('that is not there (%j) is off', async (section) => {
    const { core, rfq } = await loaded(`${VALID}${section}`)
    expect([core.rfq, rfq]).toEqual([null, null])
  })

  test('keeps every digit of what may be approved', async () => {
    const yaml = `${text()}  approve: { NTZS: 100000000.000000000000000001, USDC: '50000.5' }\n`
    const { rfq } = await loaded(yaml)
    expect(rfq?.approve).toEqual({ NTZS: 100_000_000_000_000_000_000_000_001n, USDC: 50_000_500_000n })
  })

  test('prints no key and no endpoint, however it is printed', async () => {
    const config = await loaded(text())
    const printed = [inspect(config, { depth: 9 }), encodeJson({ ...config, strategy: null })].join()
    expect(printed).toContain('[secret]')
    for (const secret of [KEY, KEY.slice(2), 'secret-part-of-the-path', 'one.example'])
      expect(printed).not.toContain(secret)
  })

  test('finds the keystore and its password beside the configuration, and watches the password', async () => {
    const yaml = text(
      'envKey: !env MIZANI_KEY, allowInLive: true',
      'keystore: maker.json, password: !file pw',
    )
    const folder = folderWith({ 'live.yaml': yaml, 'maker.json': '{}', pw: 'with spaces, and ümlauts\n' })
    const result = await loadConfig(join(folder, 'live.yaml'), KEYS, { strategiesFolder: STRATEGIES })
    if (!result.ok) throw new Error(JSON.stringify(result.error))
    expect(result.value.rfq?.signer).toEqual({
      kind: 'keystore',
      file: join(folder, 'maker.json'),
      passwordFile: join(folder, 'pw'),
    })
    expect(result.value.watchFiles).toContain(join(folder, 'pw'))
  })

  test('names the wallet that a remote signer has to sign for', async () => {
    const yaml = text(
      'envKey: !env MIZANI_KEY, allowInLive: true',
      "web3signer: 'https://signer.example:9000'",
    )
    const { rfq } = await loaded(yaml)
    expect(rfq?.signer).toEqual({
      kind: 'web3signer',
      url: 'https://signer.example:9000',
      address: MAKER.toLowerCase(),
    })
  })

  test('is not looked into for secrets where nothing is to be signed', async () => {
    const result = await load(text(), { offline: true }, {})
    expect(result.ok && [result.value.core.rfq?.chainId, result.value.rfq]).toEqual([8_453, null])
  })

  test('takes a key in a variable in a dry run without further words', async () => {
    const yaml = text(', allowInLive: true', '').replace('mode: live ', 'mode: dry-run ')
    expect((await loaded(yaml)).rfq?.signer).toMatchObject({ kind: 'env', allowInLive: false })
  })
})

describe('a mistake in it', () => {
  test('is reported with its place and with what is expected', () =>
    expectRefusals(
      'rfq',
      {
        'the zero address': text(MAKER, `0x${'0'.repeat(40)}`),
        'a wrong checksum': text(MAKER, MAKER.replace('C5', 'c5')),
        'a short address': text(MAKER, '0x7099'),
        'an address without quotes': text(`'${MAKER}'`, '0x1'),
        'no shilling': text(`NTZS: '${NTZS}', `, ''),
        'no dollar': text(`, USDC: '${USDC}'`, ''),
        'a dollar of another chain': text('USDC:', 'USDT.bnb:'),
        'one token twice': text(USDC, NTZS),
        'the wallet as a token': text(USDC, MAKER),
        'the exchange as a token': text(USDC, '0xdef1c0ded9bec7f1a1670819833240f027b25eff'),
        'ourselves as the solver': `${text()}  solver: '${MAKER}'\n`,
        'a life too short for the venue': `${text()}  expiryMs: 74999\n`,
        'a life too long for it': `${text()}  expiryMs: 900001\n`,
        'a life too short for clocks this far apart': `${text()}  expiryMs: 75000\n  maxClockOffsetMs: 6000\n`,
        'a life beyond the two minutes after which a guard finds nothing to do': `${text()}  expiryMs: 120001\n`,
        'a life beyond the longest of any order': `${text()}  expiryMs: 300001\n  maxLifeMs: 300000\n`,
        'a longest life that the venue would take no order for': `${text()}  maxLifeMs: 74999\n`,
        'an order larger than all orders together': `${text()}  maxOrderUsd: 5000.01\n`,
        'less at risk in a day than in an hour': `${text()}  maxAtRiskUsdPerHour: 9000\n  maxAtRiskUsdPerDay: 8999\n`,
        'a refresh as long as the life': `${text()}  refreshMs: 100001\n`,
        'a quorum of more than there are': text('MIZANI_RPC] }', 'MIZANI_RPC], quorum: 3 }'),
        'no endpoint': text('https://one.example, !env MIZANI_RPC', ''),
        'an endpoint of another kind': text('https://one.example', 'ws://one.example'),
        'one endpoint twice': text('https://one.example', RPC),
        'one endpoint twice in other letters': text(
          'https://one.example, !env MIZANI_RPC',
          'https://one.example, https://ONE.example:443/#2',
        ),
        'an endpoint that is not set': text('MIZANI_RPC', 'MY_RPC'),
        'a variable that holds no endpoint': text('!env MIZANI_RPC', '!env MIZANI_API_KEY'),
        'a key in plain text': text('!env MIZANI_KEY', `'${KEY}'`),
        'a key for tests in live mode': text(', allowInLive: true', ''),
        'a key in a plain file': text('!env MIZANI_KEY', '!file key'),
        'no place for a key': text('envKey: !env MIZANI_KEY, ', ''),
        'two places for one key': text('allowInLive: true', "web3signer: 'https://signer.example'"),
        'a keystore without a password': text(
          'envKey: !env MIZANI_KEY, allowInLive: true',
          'keystore: k.json',
        ),
        'a password in a variable': text(
          'envKey: !env MIZANI_KEY, allowInLive: true',
          'keystore: k.json, password: !env MIZANI_KEY',
        ),
        'a password in plain text': text(
          'envKey: !env MIZANI_KEY, allowInLive: true',
          'keystore: k.json, password: hunter2',
        ),
        'an approval of a token that is not there': `${text()}  approve: { USDT: '5' }\n`,
        'an approval without an end': `${text()}  approve: { USDC: unlimited }\n`,
        'a tip above the fee': `${text()}  gas: { maxFeeGwei: 1, tipGwei: 2 }\n`,
        'a promise of nothing': `${text()}  promiseFactor: 0\n`,
        'a promise of more than all': `${text()}  promiseFactor: 1.01\n`,
        'an unknown key': `${text()}  expiryMS: 120000\n`,
        'an unknown policy': `${text()}  cancel: { policy: sometimes }\n`,
      },
      (yaml) => problemsOf(yaml, KEYS),
    ))

  test('a missing keystore is reported with its whole path', async () => {
    const yaml = text('envKey: !env MIZANI_KEY, allowInLive: true', 'keystore: k.json, password: !file pw')
    const folder = folderWith({ 'live.yaml': yaml })
    const attempt = async () => {
      const result = await loadConfig(join(folder, 'live.yaml'), KEYS, { strategiesFolder: STRATEGIES })
      return result.ok ? [] : result.error.map(({ path, message }) => `${path}: ${message}`)
    }
    const noKeystore = `rfq.signer.keystore: ${join(folder, 'k.json')} cannot be read (ENOENT); give the path of a readable keystore`
    expect(await attempt()).toEqual([
      noKeystore,
      expect.stringMatching(/^rfq\.signer\.password: .*!file .*\(ENOENT\)/),
    ])
    writeFileSync(join(folder, 'pw'), 'x')
    expect(await attempt()).toEqual([noKeystore])
  })

  test('no problem shows an endpoint or a key that was typed where it does not belong', async () => {
    const wrong = [
      text('https://one.example', `ftp://user:pw@x/${KEY}`),
      text('!env MIZANI_KEY', KEY),
      text('chainId: 8453', `chainId: -1`).replace('https://one.example', `https://x.example/${KEY}`),
    ]
    for (const yaml of wrong) {
      const result = await load(yaml, {}, KEYS)
      const told = result.ok ? '' : result.error.map(formatProblem).join('\n')
      expect(told).toContain('rfq')
      expect(told).not.toContain(KEY.slice(2))
      expect(told).not.toContain('user:pw')
    }
  })
})
