import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recoverAddress, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { decryptKeystore, encryptKeystore } from '../../../src/custody/signing/keystore/keystore.ts'
import { hashRfqOrder } from '../../../src/custody/signing/order-hash.ts'
import { BASE, EXCHANGE, KEY, MAKER, privateKey, signableOrder } from '../../support/signing-fixture.ts'
import { PROGRAM } from '../daemon/program.ts'
import { runHere } from '../daemon/run-here.ts'
import type { Finished } from '../daemon/run-mizani.ts'

const PASSWORD = 'correct horse battery staple'
const LIGHT = { n: 1_024, r: 8, p: 1 }

/** A folder with passwords, the key of MAKER in a cheap keystore, and an order of it. */
async function desk() {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-keys-'))
  const at = (name: string) => join(folder, name)
  const put = (name: string, text: string) => {
    writeFileSync(at(name), text, { mode: 0o600 })
    return at(name)
  }
  put('password', `${PASSWORD}\n`)
  put('other', 'another password\n')
  put('key', `${KEY}\n`)
  put('maker.json', await encryptKeystore(privateKey(), PASSWORD, LIGHT))
  put('order.json', orderText({}))
  return { folder, at, put }
}

function orderText(change: object): string {
  return JSON.stringify({ ...signableOrder(), ...change }, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

/** Nothing that a command prints may hold the key or the password, however it is written. */
function expectSilence({ out, err }: Finished): void {
  const printed = `${out}\n${err}`.toLowerCase()
  const bytes = Buffer.from(KEY.slice(2), 'hex')
  for (const secret of [
    KEY.slice(2),
    bytes.toString('base64'),
    BigInt(KEY).toString(),
    PASSWORD,
    'another password',
  ])
    expect(printed).not.toContain(secret.toLowerCase())
}

async function run(...args: string[]) {
  const finished = await runHere(args)
  expectSilence(finished)
  return { ...finished, json: () => JSON.parse(finished.out) as Record<string, unknown> }
}

describe('keys', () => {
  test('a new key is written for its owner alone, opens, and is another one each time', async () => {
    const { at } = await desk()
    const place = (name: string) => ['--keystore', at(name), '--password-file', at('password'), '--json']
    const [one, two] = await Promise.all([
      run('keys', 'new', ...place('one')),
      run('keys', 'new', ...place('two')),
    ])
    expect([one.code, two.code]).toEqual([0, 0])
    expect(one.json()).toEqual({ address: expect.stringMatching(/^0x[0-9a-f]{40}$/), keystore: at('one') })
    expect(one.json()['address']).not.toBe(two.json()['address'])
    expect(statSync(at('one')).mode & 0o777).toBe(0o600)
    const checked = await run('keys', 'address', ...place('one'))
    expect(checked.json()).toEqual({ address: one.json()['address'], checked: true })
  })

  test('a key is imported from a file or from stdin', async () => {
    const { at } = await desk()
    const place = (name: string) => ['--keystore', at(name), '--password-file', at('password'), '--json']
    const [file, piped] = await Promise.all([
      run('keys', 'import', ...place('a.json'), '--key-file', at('key')),
      pipe(`  ${KEY.slice(2)}\n`, ['keys', 'import', ...place('b.json'), '--key-file', '-']),
    ])
    expectSilence(piped)
    for (const { code, out } of [file, piped])
      expect([code, (JSON.parse(out) as { address: string }).address]).toEqual([0, MAKER])
    const opened = await decryptKeystore(readFileSync(at('b.json'), 'utf8'), PASSWORD)
    expect(opened.ok && opened.value.key.use((bytes) => Buffer.from(bytes).toString('hex'))).toBe(
      KEY.slice(2),
    )
  })

  test('without the password an address is what the file says, and said so', async () => {
    const { at, put } = await desk()
    put('liar.json', readFileSync(at('maker.json'), 'utf8').replace(MAKER.slice(2), '11'.repeat(20)))
    const [unchecked, checked, text] = await Promise.all([
      run('keys', 'address', '--keystore', at('liar.json'), '--json'),
      run('keys', 'address', '--keystore', at('liar.json'), '--password-file', at('password'), '--json'),
      run('keys', 'address', '--keystore', at('maker.json')),
    ])
    expect(unchecked.json()).toEqual({ address: `0x${'11'.repeat(20)}`, checked: false })
    expect(checked.json()).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining(`the key of ${MAKER}`),
    })
    expect(text.out).toContain(`${MAKER} (`)
  })

  test('a password is changed: the new one opens the same key, the old one no longer', async () => {
    const { at, folder } = await desk()
    const files = readdirSync(folder).toSorted()
    const changed = await change(at, 'password', 'other')
    expect(changed.json()).toEqual({ address: MAKER, keystore: at('maker.json') })
    expect(readdirSync(folder).toSorted()).toEqual(files)
    const opened = (name: string) =>
      run('keys', 'address', '--keystore', at('maker.json'), '--password-file', at(name))
    expect((await Promise.all([opened('password'), opened('other')])).map(({ code }) => code)).toEqual([2, 0])
  })

  test('a change with a wrong password, or to none, leaves the file as it was', async () => {
    const { at, put } = await desk()
    put('empty', '\n')
    const before = readFileSync(at('maker.json'), 'utf8')
    const [wrong, empty] = await Promise.all([
      change(at, 'other', 'password'),
      change(at, 'password', 'empty'),
    ])
    expect(wrong).toMatchObject({ code: 2, out: expect.stringContaining('does not open') })
    expect(empty).toMatchObject({ code: 2, out: expect.stringContaining('no password') })
    expect(readFileSync(at('maker.json'), 'utf8')).toBe(before)
  })

  test('killed at any moment of a change, the file is whole and opens with one of the two', async () => {
    const { at, folder } = await desk()
    for (let round = 0; round < 6; round++) {
      for (const name of unfinished(folder)) rmSync(at(name))
      const args = ['--password-file', at('password'), '--new-password-file', at('other')]
      const child = spawn(process.execPath, [
        PROGRAM,
        'keys',
        'change-password',
        '--keystore',
        at('maker.json'),
        ...args,
      ])
      // The last steps are the ones that matter: from when the new file appears.
      const began = Date.now()
      while (child.exitCode === null && Date.now() - began < 400 + 400 * round) {
        await sleep(1)
        if (round % 2 === 1 && unfinished(folder).length > 0) break
      }
      child.kill('SIGKILL')
      await new Promise((resolve) =>
        (child.exitCode ?? child.signalCode) === null ? child.once('exit', resolve) : resolve(null),
      )
      const opened = (name: string) =>
        run('keys', 'address', '--keystore', at('maker.json'), '--password-file', at(name))
      const [old, changed] = await Promise.all([opened('password'), opened('other')])
      expect([
        [0, 2],
        [2, 0],
      ]).toContainEqual([old.code, changed.code])
      if (old.code !== 0)
        writeFileSync(at('maker.json'), await encryptKeystore(privateKey(), PASSWORD, LIGHT))
    }
  }, 120_000)

  test('a key or password on the command line is no option that there is', async () => {
    const { at } = await desk()
    const refused = await run(
      'keys',
      'import',
      '--keystore',
      at('x'),
      '--password-file',
      at('password'),
      '--key-file',
      at('key'),
      '--key',
      '1',
    )
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('unknown option') })
  })
})

describe('rfq hash and sign', () => {
  const where = ['--chain-id', '8453', '--exchange', EXCHANGE]

  test('hash says both hashes of an order', async () => {
    const { at } = await desk()
    const [json, text] = await Promise.all([
      run('rfq', 'hash', '--order', at('order.json'), ...where, '--json'),
      run('rfq', 'hash', '--order', at('order.json'), ...where),
    ])
    const hashes = hashRfqOrder(signableOrder(), BASE)
    expect(json).toMatchObject({ code: 0, out: `${JSON.stringify(hashes)}\n` })
    expect(text.out).toBe(`struct hash  ${hashes.structHash}\norder hash   ${hashes.orderHash}\n`)
  })

  test('sign gives the signature of the maker, and nothing else in the document', async () => {
    const { at } = await desk()
    const key = ['--keystore', at('maker.json'), '--password-file', at('password')]
    const [signed, text] = await Promise.all([
      run('rfq', 'sign', '--order', at('order.json'), ...where, ...key, '--json'),
      run('rfq', 'sign', '--order', at('order.json'), ...where, ...key),
    ])
    expect(Object.keys(signed.json())).toEqual(['signatureType', 'v', 'r', 's'])
    const { v, r, s } = signed.json() as { v: number; r: Hex; s: Hex }
    const hash = hashRfqOrder(signableOrder(), BASE).orderHash
    const signer = await recoverAddress({ hash, signature: { r, s, v: BigInt(v) } })
    expect(signer.toLowerCase()).toBe(MAKER)
    expect(text.out).toContain(`order hash  ${hash}\nsigner      ${MAKER}\nv           ${v}\n`)
  })

  test('sign refuses the order of another maker, and hash and sign what is no order', async () => {
    const { at, put } = await desk()
    put('theirs.json', orderText({ maker: EXCHANGE }))
    put('none.json', orderText({ makerAmount: '0' }))
    const key = ['--keystore', at('maker.json'), '--password-file', at('password')]
    const [theirs, none, hashed, chain, exchange] = await Promise.all([
      run('rfq', 'sign', '--order', at('theirs.json'), ...where, ...key, '--json'),
      run('rfq', 'sign', '--order', at('none.json'), ...where, ...key, '--json'),
      run('rfq', 'hash', '--order', at('none.json'), ...where),
      run('rfq', 'hash', '--order', at('order.json'), '--chain-id', '0', '--exchange', EXCHANGE),
      run('rfq', 'hash', '--order', at('order.json'), '--chain-id', '1', '--exchange', `0x${'0'.repeat(40)}`),
    ])
    expect(theirs).toMatchObject({ code: 3 })
    expect(theirs.json()).toMatchObject({ exitCode: 3, error: expect.stringContaining('nothing was signed') })
    expect(none).toMatchObject({ code: 2 })
    expect(none.json()).toMatchObject({ error: `${at('none.json')}: makerAmount is zero` })
    expect(hashed).toMatchObject({ code: 2, out: '', err: `${at('none.json')}: makerAmount is zero\n` })
    expect(chain).toMatchObject({ code: 2, err: expect.stringContaining('from 1 up') })
    expect(exchange).toMatchObject({ code: 2, err: expect.stringMatching(/^--exchange .* zero/) })
  })
})

function pipe(input: string, args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
    child.stdin?.end(input)
  })
}

function change(at: (name: string) => string, from: string, to: string) {
  const passwords = ['--password-file', at(from), '--new-password-file', at(to)]
  return run('keys', 'change-password', '--keystore', at('maker.json'), ...passwords, '--json')
}

function unfinished(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.part'))
}
