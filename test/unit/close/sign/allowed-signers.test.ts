import { describe, expect, test } from 'vitest'
import { allowedSigner, readSigners } from '../../../../src/close/sign/allowed-signers.ts'
import { publicBlob } from '../../../../src/close/sign/public-key.ts'
import { KEY } from '../close-fixture.ts'

const BLOB = publicBlob(KEY) ?? Buffer.alloc(0)
const LINE = `ssh-ed25519 ${BLOB.toString('base64')} a comment`
const CLOSED = Date.parse('2026-11-23T06:00:00Z')

const allowed = (line: string, at = CLOSED) => {
  const { signers, problems } = readSigners(`# the desk's auditors\n\n${line}\n`)
  expect(problems).toEqual([])
  return allowedSigner(signers, BLOB, at)?.principals ?? null
}

describe('the signers of a file', () => {
  test('may sign with their key, for the purposes and in the time that their line names', () => {
    expect(allowed(`amina@desk.example ${LINE}`)).toBe('amina@desk.example')
    expect(allowed(`amina,joseph namespaces="git,mizani-*" ${LINE}`)).toBe('amina,joseph')
    expect(allowed(`amina namespaces="*,!mizani-close" ${LINE}`)).toBeNull()
    expect(allowed(`amina namespaces="!mizani-*,*" ${LINE}`)).toBeNull()
    expect(allowed(`amina namespaces="!git,*" ${LINE}`)).toBe('amina')
    expect(allowed(`amina namespaces="!git" ${LINE}`)).toBeNull()
    expect(allowed(`amina namespaces="git" ${LINE}`)).toBeNull()
    expect(allowed(`amina namespaces="mizani.close" ${LINE}`)).toBeNull()
    expect(allowed(`amina valid-after="20261101",valid-before="20261201000000Z" ${LINE}`)).toBe('amina')
    expect(allowed(`amina valid-before="20261122Z" ${LINE}`)).toBeNull()
    expect(allowed(`amina valid-after="202611230601Z" ${LINE}`)).toBeNull()
    expect(
      allowed('amina ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
    ).toBeNull()
  })

  test('are nobody where a line is not understood, and the line is named', () => {
    const bad = ['amina', `amina cert-authority ${LINE}`, `amina valid-after="soon" ${LINE}`, 'amina ??? key']
    const { signers, problems } = readSigners(bad.join('\n'))
    expect(signers).toEqual([])
    expect(problems.map((problem) => problem.slice(0, 6))).toEqual(['line 1', 'line 2', 'line 3', 'line 4'])
    expect(problems[1]).toContain('cert-authority is not supported')
  })
})
