import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { EXIT_CODE } from '../../../src/base/exit-code.ts'
import { buildProgram } from '../../../src/cli/program.ts'

const unit = readFileSync(
  fileURLToPath(new URL('../../../deploy/systemd/mizani@.service', import.meta.url)),
  'utf8',
)
const valueOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]

test('the systemd unit runs a command that exists, and does not restart what a person has to correct', async () => {
  const [program, name, ...options] = valueOf('ExecStart')?.split(' ') ?? []
  expect(program).toBe('/opt/mizani/node_modules/.bin/mizani')
  const command = (await buildProgram(name)).commands.find((one) => one.name() === name)
  expect(command?.options.map(({ long }) => long)).toEqual(expect.arrayContaining([options[0]]))
  expect(valueOf('RestartPreventExitStatus')).toBe(String(EXIT_CODE.usage))
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(10)
  expect(valueOf('LimitCORE')).toBe('0')
})

test('the paths that the unit names in its head are those that it gives the daemon', () => {
  expect(unit).toContain(
    `!file /run/credentials/mizani@desk-1.service/${valueOf('LoadCredential')?.split(':')[0]}`,
  )
  expect(unit).toContain(`/var/lib/${valueOf('StateDirectory')?.replace('%i', 'desk-1')} }`)
})
