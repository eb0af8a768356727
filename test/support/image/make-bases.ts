import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Buildah } from './buildah.ts'

/** The two images that the Dockerfile builds from, made of what is on this machine: no registry is asked. */
export type Bases = { readonly build: string; readonly runtime: string }

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Stands in for npm, because a second `npm ci` takes a minute: the packages of this checkout, which `npm ci` put there
 * from the same lock file, are mounted where the first one would put them.
 */
const GIVEN_PACKAGES = `#!/bin/sh
[ "$1" = ci ] && [ -d node_modules/esbuild ]
`

/**
 * `runtime` is what the real one is, as far as Node sees it: the libraries it asks for, certificates, users without
 * root's powers. `build` has Node, a shell and npm on top. With `realNpm`, npm is npm.
 */
export async function makeBases(buildah: Buildah, folder: string, realNpm: boolean): Promise<Bases> {
  const runtime = join(folder, 'runtime')
  for (const path of ['etc/ssl/certs', 'tmp']) mkdirSync(join(runtime, path), { recursive: true })
  writeFileSync(join(runtime, 'etc/passwd'), 'nonroot:x:65532:65532::/nonexistent:/sbin/nologin\n')
  writeFileSync(join(runtime, 'etc/nsswitch.conf'), 'hosts: files dns\n')
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(certificates)) copyFileSync(certificates, join(runtime, certificates))
  copyLibraries(process.execPath, runtime)

  const build = join(folder, 'build')
  cpSync(runtime, build, { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(build, 'etc/passwd'), 'root:x:0:0::/tmp:/bin/sh\n')
  copyProgram(process.execPath, '/usr/local/bin/node', build)
  copyProgram('/bin/sh', '/bin/sh', build)
  for (const name of ['mkdir', 'chown', 'env', 'cp', 'ssh-keygen', 'openssl'])
    copyProgram(`/usr/bin/${name}`, `/usr/bin/${name}`, build)
  if (realNpm) copyNpm(build)
  else writeFileSync(join(build, 'usr/local/bin/npm'), GIVEN_PACKAGES, { mode: 0o755 })
  return {
    build: await toImage(buildah, build, 'base-build'),
    runtime: await toImage(buildah, runtime, 'base-runtime'),
  }
}

async function toImage(buildah: Buildah, root: string, name: string): Promise<string> {
  const container = await buildah.run('from', 'scratch')
  await buildah.run('copy', '--quiet', container, root, '/')
  await buildah.run('config', '--env', `PATH=${PATH}`, container)
  await buildah.run('commit', '--quiet', '--rm', container, `localhost/${name}`)
  return `localhost/${name}`
}

function copyProgram(from: string, to: string, root: string): void {
  const target = join(root, to)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(realpathSync(from), target)
  chmodSync(target, 0o755)
  copyLibraries(from, root)
}

/** What the loader says it would load, at the places where it looks for it. */
function copyLibraries(program: string, root: string): void {
  const said = execFileSync('ldd', [realpathSync(program)], { encoding: 'utf8' })
  for (const [path] of said.matchAll(/\/\S+(?= \()/g)) {
    const target = join(root, path)
    if (existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(realpathSync(path), target)
    chmodSync(target, 0o755)
  }
}

function copyNpm(root: string): void {
  const command = execFileSync('which', ['-a', 'npm'], { encoding: 'utf8' }).split('\n')[0] ?? ''
  const modules = join(root, 'usr/local/lib/node_modules')
  mkdirSync(modules, { recursive: true })
  cpSync(dirname(dirname(realpathSync(command))), join(modules, 'npm'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
}
