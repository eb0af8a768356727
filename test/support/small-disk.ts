import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, type TestContext } from 'vitest'

const mount = (folder: string): unknown =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', folder], { stdio: 'pipe' })

/**
 * A disk that is full for one process only takes a mount, which few containers may do: the test is skipped there with a
 * reason, and fails in CI, where a skip would hide that the disk was never full.
 */
export function skipUnlessMounts(context: TestContext): void {
  const blocked = mayNotMount()
  expect(blocked && process.env['CI'] === 'true', 'CI has to be able to mount a tmpfs').toBe(false)
  context.skip(blocked, 'this user may not mount a small file system')
}

/** Makes `folder` a disk of four megabytes, until the function that is returned is called or the test ends. */
export function mountSmallDisk(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  mount(folder)
  let mounted = true
  const unmount = (): void => {
    // Lazily: what a failed test left open there does not keep the mount.
    if (mounted) execFileSync('umount', ['-l', folder])
    mounted = false
  }
  onTestFinished(unmount)
  return unmount
}

function mayNotMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'mizani-mount-'))
  try {
    mount(probe)
    execFileSync('umount', [probe], { stdio: 'pipe' })
    return false
  } catch {
    return true
  } finally {
    rmdirSync(probe)
  }
}
