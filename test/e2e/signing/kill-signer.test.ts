import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createOrderSigner } from '../../../src/custody/signing/create-order-signer.ts'
import { openPolicyStore } from '../../../src/custody/signing/policy/policy-store.ts'
import { referenceSignHash } from '../../../src/custody/signing/local/local-signer.ts'
import { ok } from '../../../src/base/result.ts'
import { BASE, MAKER, privateKey, signableOrder, signingWall, usd } from '../../support/signing-fixture.ts'

const CHILD = fileURLToPath(new URL('signing-child.ts', import.meta.url))

function child(path: string, what: 'die' | 'stay') {
  const started = spawn(process.execPath, [CHILD, path, what], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void started.kill('SIGKILL'))
  return started
}

test('an order whose signer is killed between its file and the signature is counted, and its salt is used', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'mizani-kill-')), 'signer.sqlite')
  const dying = child(path, 'die')
  const said: string[] = []
  dying.stdout.on('data', (chunk: Buffer) => said.push(String(chunk)))
  expect(await once(dying, 'exit')).toEqual([null, 'SIGKILL'])
  expect(said).toEqual([])

  const { wall, store } = signingWall({ path, policy: { maxOutstandingUsd: usd(1) } })
  expect(store.state.lastSalt).toBe(7n)
  expect(store.state.signed.get('7')?.usd).toBe(usd(1))
  const { sign } = createOrderSigner(MAKER, wall, (_preimage, hash) =>
    ok(referenceSignHash(privateKey())(hash)),
  )
  expect(await sign(signableOrder({ salt: 7n }))).toMatchObject({ error: { code: 'SIGN_OUTSTANDING_LIMIT' } })
  store.close()
  const roomy = signingWall({ path })
  const again = createOrderSigner(MAKER, roomy.wall, (_preimage, hash) =>
    ok(referenceSignHash(privateKey())(hash)),
  )
  expect(await again.sign(signableOrder({ salt: 7n, takerAmount: 1_000_001n }))).toMatchObject({
    error: { code: 'SIGN_SALT_REUSED' },
  })
  roomy.store.close()
}, 30_000)

test('a second process does not sign with the file of one that lives, and does once that is killed', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'mizani-kill-')), 'signer.sqlite')
  const living = child(path, 'stay')
  await once(living.stdout, 'data')
  expect(openPolicyStore(path, { wallet: MAKER, ...BASE })).toMatchObject({
    ok: false,
    error: expect.stringContaining('another process signs'),
  })
  living.kill('SIGKILL')
  await once(living, 'exit')
  const after = openPolicyStore(path, { wallet: MAKER, ...BASE })
  expect(after).toMatchObject({ ok: true, value: { state: { lastSalt: 7n } } })
  if (after.ok) after.value.close()
}, 30_000)
