import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  cacheFolder,
  contractCode,
  type FetchTarball,
  keptChainFile,
  fetchTarball,
  readTar,
} from '../../../src/simulator/sandbox/chain/contract-code.ts'
import { findAnvil } from '../../../src/simulator/sandbox/chain/anvil.ts'
import { startChain } from '../../../src/simulator/sandbox/chain/start-chain.ts'
import { needs } from '../../support/needs.ts'

const root = mkdtempSync(join(tmpdir(), 'chain-cache-'))
const folder = () => mkdtempSync(join(root, 'f-'))
const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

const ARTIFACTS = [
  'lib/generated-artifacts/NativeOrdersFeature.json',
  'lib/generated-artifacts/ZeroEx.json',
  'lib/generated-artifacts/FeeCollectorController.json',
  'lib/artifacts/DummyERC20Token.json',
]
const CODE = {
  compilerOutput: { evm: { bytecode: { object: '0x6001' }, deployedBytecode: { object: '0x6002' } } },
}

/** A package with artefacts of the right shape, packed by tar as npm would. */
function packed(files: Readonly<Record<string, string>>): Buffer {
  const source = folder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, 'package', path)), { recursive: true })
    writeFileSync(join(source, 'package', path), text)
  }
  execFileSync('tar', ['czf', join(source, 'out.tgz'), '-C', source, 'package'])
  return readFileSync(join(source, 'out.tgz'))
}

const whole = () => packed(Object.fromEntries(ARTIFACTS.map((path) => [path, JSON.stringify(CODE)])))

function counting(tarball: () => Buffer): { fetch: FetchTarball; count: () => number } {
  let asked = 0
  return {
    fetch: async () => {
      asked += 1
      return tarball()
    },
    count: () => asked,
  }
}

describe('the contracts in the cache', () => {
  test('are fetched once, and again where the cache is torn, emptied or altered', async () => {
    const cache = folder()
    const { fetch, count } = counting(whole)
    const first = await contractCode(cache, fetch)
    expect(first.nativeOrders).toEqual({ creation: '0x6001', runtime: '0x6002' })
    await contractCode(cache, fetch)
    expect(count()).toBe(2)
    const damages: ((path: string) => void)[] = [
      (path) => truncateSync(path, 20),
      (path) => truncateSync(path, 0),
      (path) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll('6', '7')),
      (path) => rmSync(path),
    ]
    for (const name of readdirSync(cache)) {
      for (const damage of damages) {
        damage(join(cache, name))
        const before = count()
        expect(await contractCode(cache, fetch)).toEqual(first)
        expect(count()).toBe(before + 2)
      }
    }
    expect(readdirSync(cache).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('are the same for ten that fetch at once', async () => {
    const cache = folder()
    const { fetch } = counting(whole)
    const codes = await Promise.all(Array.from({ length: 10 }, () => contractCode(cache, fetch)))
    expect(new Set(codes.map((code) => JSON.stringify(code))).size).toBe(1)
  })

  test.each([
    ['lacks a file', () => packed({ [ARTIFACTS[0] ?? '']: JSON.stringify(CODE) }), /has no package\//],
    [
      'has another shape',
      () => packed(Object.fromEntries(ARTIFACTS.map((path) => [path, '{}']))),
      /compilerOutput/,
    ],
    ['is no archive', () => Buffer.from('not a tarball'), /incorrect header/],
  ])('a package that %s is refused, and nothing is kept', async (_what, tarball, message) => {
    const cache = folder()
    await expect(contractCode(cache, counting(tarball).fetch)).rejects.toThrow(message)
    expect(readdirSync(cache)).toEqual([])
  })

  test('lie where MIZANI_CACHE says', () => {
    expect(cacheFolder({ MIZANI_CACHE: '/somewhere' })).toBe('/somewhere/contracts')
    expect(cacheFolder({})).toMatch(/\.cache\/mizani\/contracts$/)
  })
})

describe('a tarball', () => {
  const source = folder()
  writeFileSync(join(source, 'package.json'), '{"name":"thing","version":"1.0.0"}')

  test('of another hash is refused, by name and with both hashes', async () => {
    const wanted = { spec: source, integrity: integrityOf(Buffer.from('something else')) }
    await expect(fetchTarball(wanted)).rejects.toThrow(/its integrity is sha512-/)
  })

  test('of the right hash is what npm packed', async () => {
    const seen = await fetchTarball({ spec: source, integrity: '' }).catch((error: unknown) => String(error))
    const integrity = /its integrity is (\S+),/.exec(String(seen))?.[1] ?? ''
    const tarball = await fetchTarball({ spec: source, integrity })
    expect(readTar(tarball, ['package/package.json']).get('package/package.json')?.toString()).toContain(
      'thing',
    )
  })

  test('a tarball that cannot be fetched is reported with the name of the package', async () => {
    const wanted = { spec: join(source, 'nowhere'), integrity: '' }
    await expect(fetchTarball(wanted)).rejects.toThrow(/not be fetched/)
    await expect(fetchTarball(wanted, join(source, 'no-npm'))).rejects.toThrow(
      `package ${wanted.spec}, which`,
    )
  })
})

describe('a kept file', () => {
  test('that cannot be made leaves nothing behind', async () => {
    const cache = folder()
    const failing = keptChainFile(cache, 'name', () => Promise.reject(new Error('no luck')))
    await expect(failing).rejects.toThrow('no luck')
    expect(readdirSync(cache)).toEqual([])
  })

  test('whose name points out of the folder is made anew', async () => {
    const cache = folder()
    writeFileSync(join(cache, 'name'), '../../etc/passwd')
    const { content } = await keptChainFile(cache, 'name', async () => Buffer.from('mine'))
    expect(content.toString()).toBe('mine')
  })
})

describe('anvil', () => {
  const nothing = { environment: { PATH: '/nowhere' }, packageFile: () => null }

  test('that is nowhere is missed with a sentence that says where to get it', () => {
    expect(() => findAnvil(nothing)).toThrow(/needs anvil.*@foundry-rs\/anvil-linux-amd64.*MIZANI_ANVIL/)
  })

  test('that is named goes before all others, and a wrong name is no reason to take another', () => {
    const program = join(folder(), 'my-anvil')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    expect(findAnvil({ ...nothing, environment: { MIZANI_ANVIL: program } })).toBe(program)
    expect(() => findAnvil({ ...nothing, environment: { MIZANI_ANVIL: '/nowhere/anvil' } })).toThrow(
      /MIZANI_ANVIL names \/nowhere\/anvil/,
    )
  })

  test('is found on PATH where the package is not installed', () => {
    const path = folder()
    writeFileSync(join(path, 'anvil'), '#!/bin/sh\n', { mode: 0o755 })
    expect(findAnvil({ ...nothing, environment: { PATH: `/nowhere::${path}` } })).toBe(join(path, 'anvil'))
  })
})

describe.skipIf(needs('anvil'))('a prepared chain in the cache', () => {
  test('is prepared again where it is torn, from the contracts that are whole', async () => {
    await (await startChain()).close()
    const cache = join(folder(), 'copy')
    cpSync(cacheFolder(), cache, { recursive: true })
    const pointers = readdirSync(cache).filter((name) => name.startsWith('chain-'))
    expect(pointers.length).toBeGreaterThan(0)
    for (const name of pointers) truncateSync(join(cache, readFileSync(join(cache, name), 'utf8')), 1_000)
    const { fetch, count } = counting(whole)
    const chain = await startChain({ cache, fetchTarball: fetch })
    expect(await chain.tokens.balance('USDC', chain.accounts.maker.address)).toBe(12_000_000_000n)
    await chain.close()
    expect(count()).toBe(0)
  })

  test('a port in use is reported with the error of anvil', async () => {
    const chain = await startChain()
    await expect(startChain({ port: Number(new URL(chain.url).port) })).rejects.toThrow(/anvil .*in use/s)
    await chain.close()
  })
})
