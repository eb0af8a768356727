import { afterEach, describe, expect, test, vi } from 'vitest'
import { partnerProgram, runPartner } from '../../../../src/cli/partner/partner-program.ts'
import { buildProgram } from '../../../../src/cli/program.ts'
import { scriptedServer, sendJson, type ScriptedServer } from '../../venue/scripted-server.ts'

let server: ScriptedServer | null = null

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = 0
  await server?.close()
  server = null
})

/** What these words print, and the code that they end the process with. */
async function typed(words: readonly string[]): Promise<{ out: string; code: unknown }> {
  let out = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((out += String(text))))
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${String(code)}`)
  })
  process.exitCode = 0
  try {
    await (await buildProgram('partner')).parseAsync(['node', 'mizani', 'partner', ...words])
    return { out, code: process.exitCode }
  } catch (error) {
    const [, code = error] = /^exit (\d)$/.exec(error instanceof Error ? error.message : '') ?? []
    return { out, code: Number(code) }
  }
}

describe('mizani partner', () => {
  test('hands its words to the endpoint that they name', async () => {
    server = await scriptedServer((response) =>
      sendJson(response, { id: 'd1', status: 'completed', amountTzs: 500 }),
    )
    vi.stubEnv('PARTNER_URL', server.url)
    vi.stubEnv('PARTNER_KEY', 'svc_test_0123456789')
    const { out, code } = await typed(['deposits', 'read', '--id', 'd1'])
    expect(out).toBe('id: d1\nstatus: completed\namountTzs: 500\n')
    expect(code).toBe(0)
    expect(server.seen[0]?.url).toBe('/api/v1/deposits/d1')
  })

  test.each([[[]], [['--help']], [['deposits', '--help']], [['deposits', 'create', '--help']]])(
    'prints help for %j and ends with 0',
    async (words) => {
      const { out, code } = await typed(words)
      expect(out).toMatch(/Usage: mizani partner/)
      expect(code).toBe(0)
    },
  )

  test.each([
    [['nothing'], /unknown command 'nothing'/],
    [['deposits', 'create'], /required option '--amount-tzs <tzs>' not specified/],
    [['deposits', 'create', '--amount-tzs', '5', '--amout', '6'], /unknown option '--amout'/],
  ])('refuses %j and ends with 2', async (words, message) => {
    const { out, code } = await typed(words)
    expect(out).toMatch(message)
    expect(code).toBe(2)
  })

  test('reports an error of the words as one JSON document with --json', async () => {
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${String(code)}`)
    })
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
    await expect(runPartner(['deposits', 'create', '--json'], true)).rejects.toThrow('exit 2')
    expect(JSON.parse(String(stdout.mock.calls[0]?.[0]))).toEqual({
      error: "required option '--amount-tzs <tzs>' not specified",
      exitCode: 2,
    })
  })

  test('shows the verbs of each resource, and states of each verb whether it is sent once', () => {
    const program = partnerProgram()
    const deposits = program.commands.find((command) => command.name() === 'deposits')
    expect(deposits?.description()).toBe('create, read')
    for (const verb of program.commands.flatMap(({ commands }) => commands)) {
      let help = ''
      verb.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp()
      expect(help.includes('Sent once, never repeated.')).toBe(help.includes('--yes'))
      expect(help).toMatch(/Example:\n {2}\$ npx mizani partner /)
    }
  })
})
