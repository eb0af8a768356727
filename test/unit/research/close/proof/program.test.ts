import { expect, test } from 'vitest'
import { wordsOf } from '../../../../../src/research/close/proof/program.ts'

test('the words of a program are one line of its explanations, without its decoration and its source', () => {
  const openssl = `Using configuration from /dev/null
80DB6404817F0000:error:17800064:time stamp routines:ts_verify_cert:certificate verify error:../crypto/ts/ts_rsp_verify.c:188:Verify error:self-signed certificate
`
  expect(wordsOf(openssl)).toBe('certificate verify error Verify error:self-signed certificate')
  const ssh = `@@@@@@@@@@@@
@   WARNING: UNPROTECTED PRIVATE KEY FILE!   @
@@@@@@@@@@@@
Permissions 0644 for 'key' are too open.
This private key will be ignored.
`
  expect(wordsOf(ssh)).toBe("Permissions 0644 for 'key' are too open.; This private key will be ignored.")
  expect(wordsOf('x'.repeat(5_000))).toHaveLength(400)
})
