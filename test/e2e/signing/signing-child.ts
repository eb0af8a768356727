import { ok } from '../../../src/base/result.ts'
import { createOrderSigner } from '../../../src/custody/signing/create-order-signer.ts'
import { referenceSignHash } from '../../../src/custody/signing/local/local-signer.ts'
import { MAKER, privateKey, signableOrder, signingWall } from '../../support/signing-fixture.ts'

/**
 * Signs order 7 with the file that is named, and is killed with SIGKILL between what it wrote and the signature. With
 * `stay` it signs and waits.
 */
const [, , path = '', what = ''] = process.argv
const { wall } = signingWall({ path })
const { sign } = createOrderSigner(MAKER, wall, (_preimage, hash) => {
  if (what === 'die') process.kill(process.pid, 'SIGKILL')
  return ok(referenceSignHash(privateKey())(hash))
})
const signed = await sign(signableOrder({ salt: 7n }))
process.stdout.write(`${signed.ok ? 'signed' : signed.error.code}\n`)
setInterval(() => undefined, 1_000)
