import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keccak256, type Hex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { openLocalSigner } from '../../../../../src/custody/signing/local/local-signer.ts'
import { openRemoteSigner } from '../../../../../src/custody/signing/remote/remote-signer.ts'
import type { OrderSigner } from '../../../../../src/custody/signing/order-signer.ts'
import {
  CANCEL,
  EXCHANGE,
  KEY,
  MAKER,
  privateKey,
  signableOrder,
  signingWall,
} from '../../../../support/signing-fixture.ts'

const OTHER_KEY: Hex = `0x${'0'.repeat(63)}1`
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

type Answer = (data: Hex, response: ServerResponse) => void | Promise<void>
type Asked = { method: string; url: string; body: string }

/** A server with the two routes of a Web3Signer that holds two keys; `answer` is how it signs. */
async function web3signer(answer: Answer, prefix = ''): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method = '', url = '' } = request
      asked.push({ method, url, body })
      if (url === `${prefix}/api/v1/eth1/publicKeys`)
        return response.end(JSON.stringify([OTHER_KEY, KEY].map(publicKeyOf)))
      if (url !== `${prefix}/api/v1/eth1/sign/${publicKeyOf(KEY)}`) return response.writeHead(404).end()
      return void answer((JSON.parse(body) as { data: Hex }).data, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`, asked }
}

/** As Web3Signer lists it: without the 04 of an uncompressed point. */
function publicKeyOf(key: Hex): string {
  return `0x${privateKeyToAccount(key).publicKey.slice(4)}`
}

async function signatureOf(data: Hex, key = KEY): Promise<Hex> {
  return sign({ hash: keccak256(data), privateKey: key, to: 'hex' })
}

const honest: Answer = async (data, response) => void response.end(await signatureOf(data))

async function opened(url: string, timeoutMs = 2_000): Promise<OrderSigner> {
  const signer = await openRemoteSigner({ url, address: MAKER, timeoutMs }, signingWall().wall)
  if (!signer.ok) throw new Error(signer.error)
  return signer.value
}

async function local(): Promise<OrderSigner> {
  const signer = openLocalSigner(privateKey(), signingWall().wall, null)
  if (!signer.ok) throw new Error(signer.error)
  return Promise.resolve(signer.value)
}

describe('a remote signer', () => {
  test('signs what the same key signs here, and is sent the 66 bytes that it hashes', async () => {
    const { url, asked } = await web3signer(honest, '/vault')
    const signer = await opened(url)
    expect(await signer.sign(signableOrder())).toEqual(await (await local()).sign(signableOrder()))
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(asked[1]?.body).toMatch(/^\{"data":"0x1901[0-9a-f]{128}"\}$/)
  })

  test('signs transactions as the same key does here', async () => {
    const { url } = await web3signer(honest)
    const transaction = {
      type: 'eip1559',
      chainId: 8_453,
      nonce: 0,
      gas: 60_000n,
      maxFeePerGas: 10n,
      maxPriorityFeePerGas: 1n,
      to: EXCHANGE,
      data: CANCEL,
    } as const
    const signed = await (await opened(url)).account.signTransaction(transaction)
    expect(signed).toBe(await privateKeyToAccount(KEY).signTransaction(transaction))
  })

  test('may answer with a high s, a v of 0 or 1, or in quotes', async () => {
    const high: Answer = async (data, response) => {
      const signature = await sign({ hash: keccak256(data), privateKey: KEY })
      const s = (GROUP_ORDER - BigInt(signature.s)).toString(16).padStart(64, '0')
      const v = signature.yParity === 0 ? '01' : '00'
      response.end(JSON.stringify(`${signature.r}${s}${v}`))
    }
    const { url } = await web3signer(high)
    expect(await (await opened(url)).sign(signableOrder())).toEqual(
      await (await local()).sign(signableOrder()),
    )
  })

  test('is not asked for an order that is refused here', async () => {
    const { url, asked } = await web3signer(honest)
    const signed = await (await opened(url)).sign(signableOrder({ taker: MAKER }))
    expect(signed).toMatchObject({ ok: false, error: { code: 'SIGN_WRONG_SOLVER', isVoid: true } })
    expect(asked).toHaveLength(1)
  })

  test('shows nothing but its address', async () => {
    const { url } = await web3signer(honest)
    expect(JSON.parse(JSON.stringify(await opened(url)))).toEqual({
      address: MAKER,
      account: { address: MAKER, source: 'custom', type: 'local' },
    })
  })
})

describe('a remote signer that cannot be relied on', () => {
  const ends =
    (body?: string): Answer =>
    (_data, response) =>
      void response.end(body)
  const refuses =
    (status: number): Answer =>
    (_data, response) =>
      void response.writeHead(status).end()
  const signs =
    (change: (data: Hex) => Promise<string>): Answer =>
    async (data, response) =>
      void response.end(await change(data))
  const breaksOff: Answer = (_data, response) => {
    response.writeHead(200, { 'content-length': '132' })
    response.write('0x12', () => response.destroy())
  }
  const failing: [string, Answer, string, boolean][] = [
    ['signs with another key', signs((data) => signatureOf(data, OTHER_KEY)), 'SIGN_REMOTE_WRONG_KEY', false],
    ['signs something else', signs((data) => signatureOf(`${data}00`)), 'SIGN_REMOTE_WRONG_KEY', false],
    ['answers with zeros', ends(`0x${'0'.repeat(128)}1b`), 'SIGN_REMOTE_WRONG_KEY', false],
    ['answers with ones', ends(`0x${'f'.repeat(128)}1b`), 'SIGN_REMOTE_WRONG_KEY', false],
    [
      'answers with half a signature',
      signs(async (data) => (await signatureOf(data)).slice(0, 100)),
      'SIGN_REMOTE_GARBAGE',
      false,
    ],
    ['answers with a page', ends('<html>'), 'SIGN_REMOTE_GARBAGE', false],
    ['answers with nothing', ends(), 'SIGN_REMOTE_GARBAGE', false],
    ['answers without end', ends('0'.repeat(3_000_000)), 'SIGN_REMOTE_FAILED', false],
    ['refuses', refuses(403), 'SIGN_REMOTE_REFUSED', true],
    ['has lost the key', refuses(404), 'SIGN_REMOTE_REFUSED', true],
    ['fails', refuses(500), 'SIGN_REMOTE_FAILED', false],
    ['gave up waiting', refuses(408), 'SIGN_REMOTE_FAILED', false],
    ['breaks off', (_data, response) => void response.destroy(), 'SIGN_REMOTE_FAILED', false],
    ['breaks off in the middle', breaksOff, 'SIGN_REMOTE_FAILED', false],
    ['never answers', () => undefined, 'SIGN_REMOTE_TIMEOUT', false],
    ['answers indefinitely', (_data, response) => void response.write('0x'), 'SIGN_REMOTE_TIMEOUT', false],
  ]

  test.each(failing)('and %s gives no signature', async (_what, answer, code, isVoid) => {
    const { url } = await web3signer(answer)
    const signed = await (await opened(url, 300)).sign(signableOrder())
    expect(signed).toMatchObject({ ok: false, error: { code, isVoid } })
    if (!signed.ok) expect(signed.error.message).not.toContain(url)
  })

  test('and is gone has certainly signed nothing', async () => {
    const { url } = await web3signer(honest)
    const signer = await opened(url)
    for (const stop of stops.splice(0)) stop()
    // The first request may still find the old connection broken, which proves nothing.
    await signer.sign(signableOrder())
    expect(await signer.sign(signableOrder({ salt: 2n, takerAmount: 1_000_001n }))).toMatchObject({
      ok: false,
      error: { code: 'SIGN_REMOTE_UNREACHABLE', isVoid: true },
    })
  })

  test('makes an account that throws without telling more', async () => {
    const { url } = await web3signer((_data, response) => void response.writeHead(500).end())
    const { account } = await opened(url)
    const signing = account.signTransaction({ type: 'eip1559', chainId: 8_453, to: EXCHANGE, data: CANCEL })
    await expect(signing).rejects.toThrow('answered 500')
  })
})

describe('a remote signer is not opened', () => {
  const errorOf = async (url: string, address: Hex = MAKER) => {
    const signer = await openRemoteSigner({ url, address, timeoutMs: 2_000 }, signingWall().wall)
    return signer.ok ? '' : signer.error
  }

  test('without the key of the wallet', async () => {
    const { url } = await web3signer(honest)
    expect(await errorOf(url, EXCHANGE)).toBe(`the remote signer does not hold the key of ${EXCHANGE}`)
  })

  test('where no one listens, or no one knows the route', async () => {
    expect(await errorOf('http://127.0.0.1:1')).toContain('(ECONNREFUSED)')
    const { url } = await web3signer(honest)
    expect(await errorOf(`${url}/elsewhere`)).toContain('answered 404')
  })

  test.each([
    ['not a url', 'is invalid'],
    ['ftp://127.0.0.1', 'is invalid'],
    ['http://user:hunter2@127.0.0.1:9000', 'contains a password'],
  ])('at %s', async (url, says) => {
    const error = await errorOf(url)
    expect(error).toContain(says)
    expect(error).not.toContain('hunter2')
  })
})
