import { Command } from 'commander'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addFlags, flagsOf, paramsOf } from '../../../../src/cli/partner/flags.ts'
import { exampleOf, partnerProgram } from '../../../../src/cli/partner/partner-program.ts'
import { RESOURCES } from '../../../../src/cli/partner/register.ts'
import { formatDecimalText } from '../../../../src/base/money/decimal-text.ts'
import { ENDPOINTS, type EndpointName } from '../../../../src/treasury/api/endpoints.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]

/** The parameters of an endpoint as these words give them; a refused word is its message. */
function parse(name: EndpointName, words: readonly string[]): unknown {
  const flags = flagsOf(ENDPOINTS[name].params)
  const command = new Command('x').exitOverride().configureOutput({ writeErr: () => undefined })
  addFlags(command, flags)
  try {
    return paramsOf(flags, command.parse(words, { from: 'user' }).opts())
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

describe('the options of an endpoint', () => {
  test('become its parameters: shillings, dollars, flags, words, numbers, JSON, and fields within fields', () => {
    expect(
      parse('createDeposit', [
        '--amount-tzs',
        '40000000',
        '--end-user-reference',
        'ab',
        '--collect-to-treasury',
      ]),
    ).toEqual({
      amountTzs: 40_000_000n,
      endUser: { reference: 'ab' },
      collectToTreasury: true,
    })
    expect(
      parse('createTransfer', [
        '--from-user-id',
        'u',
        '--amount',
        '12.5',
        '--token',
        'USDC',
        '--metadata',
        '{"week":47}',
      ]),
    ).toEqual({
      fromUserId: 'u',
      amount: 12_500_000n,
      token: 'USDC',
      metadata: { week: 47 },
    })
    expect(
      parse('quoteRamp', [
        '--direction',
        'offramp',
        '--usdc-amount',
        '1',
        '--destination-kind',
        'lipa',
        '--destination-pay-number',
        '5',
      ]),
    ).toEqual({
      direction: 'offramp',
      usdcAmount: 1_000_000n,
      destination: { kind: 'lipa', payNumber: '5' },
    })
    expect(parse('listCollections', ['--merchant-id', 'm', '--limit', '50'])).toEqual({
      merchantId: 'm',
      limit: 50,
    })
  })

  test.each([
    ['createDeposit', ['--amount-tzs', '500.5'], /Expected whole shillings, digits only/],
    ['createDeposit', ['--amount-tzs', '-5'], /whole shillings/],
    ['createDeposit', [], /required option '--amount-tzs <tzs>'/],
    [
      'createDeposit',
      ['--amount-tzs', '500', '--payment-method', 'cash'],
      /Allowed choices are mobile_money/,
    ],
    [
      'createTransfer',
      ['--from-user-id', 'u', '--amount', '0.0000001'],
      /Expected a positive number with up to 6 decimals/,
    ],
    ['createTransfer', ['--from-user-id', 'u', '--metadata', '[1]'], /Expected a JSON object/],
    ['listCollections', ['--merchant-id', 'm', '--limit', 'all'], /Expected a whole number/],
  ] as const)('of %s with %j are refused with what is expected', (name, words, message) => {
    expect(parse(name, words)).toMatch(message)
  })

  test('carry an amount of dollars exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 90n }), (units) => {
        const words = ['--from-user-id', 'u', '--amount', formatDecimalText(units, 6)]
        expect(parse('createTransfer', words)).toEqual({ fromUserId: 'u', amount: units })
      }),
    )
  })
})

describe('the command line of the partner API', () => {
  test('has one command for each endpoint, and check', () => {
    const program = partnerProgram()
    const places = program.commands.flatMap((resource) => resource.commands)
    expect(places).toHaveLength(NAMES.length)
    expect(program.commands.map((command) => command.name())).toEqual([...RESOURCES, 'check'])
  })

  test.each(NAMES)('shows an example of %s that its own options take', (name) => {
    const { command } = ENDPOINTS[name]
    const [, given = ''] = exampleOf(name).split(`partner ${command.resource} ${command.verb}`)
    const words = [...given.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    expect(
      parse(
        name,
        words.filter((word) => word !== '--yes'),
      ),
    ).toEqual(expect.any(Object))
  })

  test('has no option of an endpoint that is called like one of the command itself', () => {
    const names = NAMES.flatMap((name) => flagsOf(ENDPOINTS[name].params).map((flag) => flag.name))
    expect(
      names.filter((name) => ['key', 'yes', 'config', 'json', 'help', 'version'].includes(name)),
    ).toEqual([])
  })
})
