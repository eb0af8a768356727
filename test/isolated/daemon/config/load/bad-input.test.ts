import { describe, expect, test } from 'vitest'
import { changed, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const SPREAD = 'a spread outside 10..500'
const PLAIN = 'use !env NAME or !file PATH'

describe('every mistake is reported with its place and with what is expected', () => {
  const rows: readonly (readonly [claim: string, text: string, place: string, mark: string])[] = [
    ['unknown key at the top', changed('activation:', 'activatoin:'), '12:1 activatoin', 'activation?'],
    [
      'unknown key in a section',
      changed('requestsPerMinute', 'requestPerMin'),
      '7:3 venue.requestPerMin',
      'requestsPerMinute?',
    ],
    ['unknown key in other letters', changed('onExit', 'on_exit'), '11:76 quote.on_exit', 'onExit?'],
    [
      'unknown key like nothing',
      changed('log: { level: info }', 'log: { colour: red }'),
      '15:8 log.colour',
      'unknown key',
    ],
    [
      'a key in the wrong section',
      changed('log: { level: info }', 'log: { safeBps: 500 }'),
      '15:8 log.safeBps',
      'quote.safeBps?',
    ],
    ['a secret without a value', changed('!env MIZANI_API_KEY  ', ''), '6:3 venue.apiKey', 'missing'],
    ['wrong type', changed('target: 0.5', 'target: half'), '9:22 inventory.target', 'text where'],
    [
      'text for a whole number',
      changed('Minute: 60', 'Minute: "60"'),
      '7:22 venue.requestsPerMinute',
      'text where',
    ],
    [
      'a fraction for a whole number',
      changed('safeBps: 500', 'safeBps: 60.5'),
      '11:71 quote.safeBps',
      'a fraction',
    ],
    ['a list for a mapping', changed('{ level: info }', '[info]'), '15:6 log', 'a list where'],
    ['an empty section', changed('log: { level: info }', 'log:'), '15:1 log', 'nothing where'],
    ['a word that is not one of the choices', changed('widen', 'wide'), '11:84 quote.onExit', 'widen?'],
    [
      'a port that no client can connect to',
      changed('baseUrl: http://127.0.0.1:8787', 'baseUrl: http://127.0.0.1:99999'),
      '4:12 venue.baseUrl',
      'not a URL',
    ],
    [
      'a path that no request can have',
      changed('requestsPerMinute: 60', 'prefix: /api/中'),
      '7:11 venue.prefix',
      'not a path',
    ],
    ['a number out of bounds', changed('target: 0.5', 'target: 1.5'), '9:22 inventory.target', 'at most 1'],
    [
      'a digit of a destination that money would go to',
      `${VALID}withdraw: { enabled: true, destinations: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C9'] }\n`,
      '16:43 withdraw.destinations[0]',
      'its checksum',
    ],
    [
      'no one as a destination',
      `${VALID}withdraw: { enabled: true, destinations: ['0x${'0'.repeat(40)}'] }\n`,
      '16:43 withdraw.destinations[0]',
      'the zero address',
    ],
    [
      'limits the wrong way round',
      changed('target: 0.5', 'limits: { USDC: { max: 10, min: 10.5 } }'),
      '9:46 inventory.limits.USDC.min',
      'no room',
    ],
    [
      'a missing key',
      changed('  apiKey: !env MIZANI_API_KEY           # or !file /run/secrets/mm_key\n', ''),
      '3:1 venue.apiKey',
      'missing',
    ],
    [
      'a missing section',
      changed('strategy: { use: plain, params: { halfSpreadBps: 60 } }\n', ''),
      '1:1 strategy',
      'missing',
    ],
    ['a safe spread below the range', changed('safeBps: 500', 'safeBps: 9'), '11:71 quote.safeBps', SPREAD],
    ['a safe spread above the range', changed('safeBps: 500', 'safeBps: 501'), '11:71 quote.safeBps', SPREAD],
    [
      'a spread of the strategy below the range',
      changed('halfSpreadBps: 60', 'halfSpreadBps: 9'),
      '8:50 strategy.params.halfSpreadBps',
      'at least 10',
    ],
    [
      'a spread that a careless schema lets pass',
      changed(
        'use: plain, params: { halfSpreadBps: 60 }',
        'use: careless, params: { night: { askBps: 600 } }',
      ),
      '8:55 strategy.params.night.askBps',
      '10 to 500',
    ],
    [
      'an unknown parameter',
      changed('halfSpreadBps', 'halfSpread'),
      '8:35 strategy.params.halfSpread',
      'halfSpreadBps?',
    ],
    [
      'a parameter of a wrapped strategy',
      changed(
        '{ use: plain, params: { halfSpreadBps: 60 } }',
        '{ use: wrapping, params: { windows: [{ use: plain, params: { label: 5 } }] } }',
      ),
      '8:79 strategy.params.windows[0].params.label',
      'a number',
    ],
    ['an unknown strategy', changed('use: plain', 'use: plian'), '8:18 strategy.use', 'plain?'],
    [
      'a strategy that wraps itself',
      changed(
        '{ use: plain, params: { halfSpreadBps: 60 } }',
        '{ use: wrapping, params: { windows: [{ use: wrapping, params: { windows: [] } }] } }',
      ),
      '8:55 strategy.params.windows[0].use',
      'wrapping wraps itself',
    ],
    [
      'a path without a file',
      changed('use: plain', 'use: ./mine.ts'),
      '8:18 strategy.use',
      'no file ./mine.ts',
    ],
    [
      'a file without a strategy',
      changed('use: plain', 'use: no-strategy'),
      '8:18 strategy.use',
      'default export',
    ],
    [
      'a key in plain text',
      changed('!env MIZANI_API_KEY', 'mm_live_4f9a8b7c6d5e'),
      '6:11 venue.apiKey',
      PLAIN,
    ],
    ['a number as a key', changed('!env MIZANI_API_KEY', '123456'), '6:11 venue.apiKey', PLAIN],
    ['a list as a key', changed('!env MIZANI_API_KEY', '[abc]'), '6:11 venue.apiKey', PLAIN],
    ['a token in plain text', changed('!env MIZANI_HTTP_TOKEN', 'letmein'), '14:45 http.token', PLAIN],
    [
      'a tag where there is no secret',
      changed('name: desk-1', 'name: !env NAME'),
      '1:12 name',
      '!env is for secrets',
    ],
    ['an unknown tag', changed('name: desk-1', 'name: !vault x'), '1:7 (file)', 'an unknown tag'],
    [
      'a variable that is not set',
      changed('MIZANI_API_KEY', 'MY_KEY'),
      '6:16 venue.apiKey',
      'environment variable MY_KEY',
    ],
    [
      'a token that is named and not set',
      changed('MIZANI_HTTP_TOKEN', 'MY_TOKEN'),
      '14:50 http.token',
      'environment variable MY_TOKEN',
    ],
    [
      'a secret file that is not there',
      changed('!env MIZANI_API_KEY', '!file ./nowhere'),
      '6:17 venue.apiKey',
      'ENOENT',
    ],
    [
      'an amount with words',
      changed('maxLossTzs: null', 'maxLossTzs: 1e6'),
      '10:65 risk.maxLossTzs',
      '"1e6" is not',
    ],
    [
      'a negative amount',
      changed('maxLossTzs: null', 'maxLossTzs: -5'),
      '10:65 risk.maxLossTzs',
      'an amount below',
    ],
    [
      'a base URL with a password',
      changed('http://127.0.0.1:8787 ', 'http://me:pw@127.0.0.1 '),
      '4:12 venue.baseUrl',
      'not a base URL',
    ],
    [
      'withdrawals to nowhere',
      `${VALID}withdraw: { enabled: true }\n`,
      '16:1 withdraw.destinations',
      'withdrawals are enabled',
    ],
    ['a key given twice', `${VALID}mode: dry-run\n`, '16:1 (file)', 'set before'],
    ['a tab as indentation', changed('  requestsPerMinute', '\trequestsPerMinute'), '7:1 (file)', 'a tab'],
    [
      'an open brace',
      changed('log: { level: info }', 'log: { level: info'),
      '16:1 (file)',
      'the indentation',
    ],
    ['two documents', `${VALID}---\nname: other\n`, '16:1 (file)', 'a second document'],
    ['an alias of nothing', changed('name: desk-1', 'name: *desk'), '1:7 name', 'an alias without'],
    ['a key that is no word', `${VALID}1: x\n`, '16:1 (file)', 'in quotes'],
    ['a key that JavaScript minds', `${VALID}__proto__: { a: 1 }\n`, '16:1 __proto__', 'unknown key'],
    ['an empty file', '', '1:1 (file)', 'is empty'],
    ['only comments', '# nothing\n', '1:1 (file)', 'is empty'],
    ['a list', '- a\n- b\n', '1:1 (file)', 'not a mapping'],
    ['a word', 'hello', '1:1 (file)', 'not a mapping'],
    ['a huge file', `# ${'x'.repeat(1_000_000)}`, '1:1 (file)', '1000002 bytes'],
  ]
  test.each(rows)('%s', async (_claim, text, place, mark) => {
    const found = (await problemsOf(text)).filter((problem) => problem.startsWith(`${place}: `))
    expect(found.join('\n')).toContain(mark)
  })
})
