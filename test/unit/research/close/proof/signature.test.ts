import { expect, test } from 'vitest'
import { principalsOf } from '../../../../../src/research/close/proof/signature.ts'

test('the principals of a signers’ file are the first field of each line, also where it is quoted', () => {
  const text = `# the desk's auditors

amina,joseph namespaces="git" ssh-ed25519 AAAA
  "grace of the desk,*@desk.example" ssh-ed25519 AAAA\r
-n ssh-ed25519 AAAA
`
  expect(principalsOf(text).filter((name) => name !== '')).toEqual([
    'amina',
    'joseph',
    'grace of the desk',
    '*@desk.example',
    '-n',
  ])
})
