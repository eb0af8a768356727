import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { holderIdentity } from '../../../../src/store/postgres/holder-identity.ts'

const HERE = { host: 'desk', boot: 'boot-1' }

let root = ''
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'mizani-identity-'))))

const folder = (): string => mkdtempSync(join(root, 'data-'))

test('a daemon that starts again in its folder, on the kernel that it died on, is the one that it was', () => {
  const own = folder()
  expect(holderIdentity(own, HERE)).toBe(holderIdentity(own, HERE))
  expect(holderIdentity(own)).toBe(holderIdentity(own))
  expect(holderIdentity(own)).not.toMatch(/\s/)
})

test('a copied folder is another holder, though the file in it is the same', () => {
  const [own, copy] = [folder(), folder()]
  const identity = holderIdentity(own, HERE)
  copyFileSync(join(own, 'holder.id'), join(copy, 'holder.id'))
  expect(holderIdentity(copy, HERE)).not.toBe(identity)
})

test('a machine that was made from a copy of another one is another holder, and so is the same folder on another machine', () => {
  const own = folder()
  const identity = holderIdentity(own, HERE)
  expect(holderIdentity(own, { ...HERE, host: 'desk-2' })).not.toBe(identity)
  expect(holderIdentity(own, { ...HERE, boot: 'boot-2' })).not.toBe(identity)
})

test('a file without an identity in it, as a crash in the middle of a write leaves it, is written anew', () => {
  const own = folder()
  const other = folder()
  for (const each of [own, other]) writeFileSync(join(each, 'holder.id'), '\n')
  const [first] = holderIdentity(own, HERE).split('/')
  const [second] = holderIdentity(other, HERE).split('/')
  expect(first).not.toBe(second)
  expect(readFileSync(join(own, 'holder.id'), 'utf8')).toBe(`${first}\n`)
})
