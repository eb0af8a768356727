import { describe, expect, test } from 'vitest'
import { changed, problemsOf, VALID } from '../../../../unit/daemon/config/config-fixture.ts'

const SPREAD = 'a spread outside 10..500; a whole number from 10 to 500 would be right'
const PLAIN = 'secret in plain text: use !env NAME or !file PATH'

describe('every mistake is notified with its place and with what would be right', () => {
  const rows: readonly (readonly [claim: string, text: string, problem: string])[] = [
    [
      'unknown key at the top',
      changed('activation:', 'activatoin:'),
      '12:1 activatoin: unknown key; did you mean activation?',
    ],
    [
      'unknown key in a section',
      changed('requestsPerMinute', 'requestPerMin'),
      '7:3 venue.requestPerMin: unknown key; did you mean requestsPerMinute?',
    ],
    [
      'unknown key in other letters',
      changed('onExit', 'on_exit'),
      '11:76 quote.on_exit: unknown key; did you mean onExit?',
    ],
    [
      'unknown key like nothing',
      changed('log: { level: info }', 'log: { colour: red }'),
      '15:8 log.colour: unknown key; known here: level, file',
    ],
    [
      'a key in the wrong section',
      changed('log: { level: info }', 'log: { safeBps: 500 }'),
      '15:8 log.safeBps: unknown key here; did you mean quote.safeBps?',
    ],
    [
      'a secret without a value',
      changed('!env MIZANI_API_KEY  ', ''),
      '6:3 venue.apiKey: missing; !env NAME or !file PATH is needed here',
    ],
    [
      'wrong type',
      changed('target: 0.5', 'target: half'),
      '9:22 inventory.target: text where a number was expected',
    ],
    [
      'text for a whole number',
      changed('Minute: 60', 'Minute: "60"'),
      '7:22 venue.requestsPerMinute: text where a number was expected',
    ],
    [
      'a fraction for a whole number',
      changed('safeBps: 500', 'safeBps: 60.5'),
      '11:71 quote.safeBps: a fraction where a whole number was expected',
    ],
    [
      'a list for a mapping',
      changed('{ level: info }', '[info]'),
      '15:6 log: a list where a mapping (key: value) was expected',
    ],
    [
      'an empty section',
      changed('log: { level: info }', 'log:'),
      '15:1 log: nothing where a mapping (key: value) was expected',
    ],
    [
      'a word that is none of the choices',
      changed('widen', 'wide'),
      '11:84 quote.onExit: not one of the possible values; keep or widen or deactivate would be right; did you mean widen?',
    ],
    [
      'a port that no client can connect to',
      changed('baseUrl: http://127.0.0.1:8787', 'baseUrl: http://127.0.0.1:99999'),
      '4:12 venue.baseUrl: not a URL: its host or port cannot be read; http(s)://host[:port] would be right',
    ],
    [
      'a path that no request can have',
      changed('requestsPerMinute: 60', 'prefix: /api/中'),
      '7:11 venue.prefix: not a path; one of ASCII without spaces, ? and # that begins with / would be right',
    ],
    [
      'a number out of bounds',
      changed('target: 0.5', 'target: 1.5'),
      '9:22 inventory.target: too large; at most 1 would be right',
    ],
    [
      'a digit of a destination that money would go to',
      `${VALID}withdraw: { enabled: true, destinations: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C9'] }\n`,
      '16:43 withdraw.destinations[0]: its checksum is wrong, so a digit may be; copy the address again, or write it in lower case',
    ],
    [
      'no one as a destination',
      `${VALID}withdraw: { enabled: true, destinations: ['0x${'0'.repeat(40)}'] }\n`,
      '16:43 withdraw.destinations[0]: the zero address; an address of someone would be right',
    ],
    [
      'limits the wrong way round',
      changed('target: 0.5', 'limits: { USDC: { max: 10, min: 10.5 } }'),
      '9:46 inventory.limits.USDC.min: no room between min and max, so a side would always be off; a min below max would be right',
    ],
    [
      'a missing key',
      changed('  apiKey: !env MIZANI_API_KEY           # or !file /run/secrets/mm_key\n', ''),
      '3:1 venue.apiKey: missing; !env NAME or !file PATH is needed here',
    ],
    [
      'a missing section',
      changed('strategy: { use: plain, params: { halfSpreadBps: 60 } }\n', ''),
      '1:1 strategy: missing; a mapping (key: value) is needed here',
    ],
    [
      'a safe spread below the range',
      changed('safeBps: 500', 'safeBps: 9'),
      `11:71 quote.safeBps: ${SPREAD}`,
    ],
    [
      'a safe spread above the range',
      changed('safeBps: 500', 'safeBps: 501'),
      `11:71 quote.safeBps: ${SPREAD}`,
    ],
    [
      'a spread of the strategy below the range',
      changed('halfSpreadBps: 60', 'halfSpreadBps: 9'),
      '8:50 strategy.params.halfSpreadBps: too small; at least 10 would be right',
    ],
    [
      'a spread that a careless schema lets pass',
      changed(
        'use: plain, params: { halfSpreadBps: 60 }',
        'use: careless, params: { night: { askBps: 600 } }',
      ),
      '8:55 strategy.params.night.askBps: a spread outside 10..500; from 10 to 500 would be right',
    ],
    [
      'an unknown parameter',
      changed('halfSpreadBps', 'halfSpread'),
      '8:35 strategy.params.halfSpread: unknown key; did you mean halfSpreadBps?',
    ],
    [
      'a parameter of a wrapped strategy',
      changed(
        '{ use: plain, params: { halfSpreadBps: 60 } }',
        '{ use: wrapping, params: { windows: [{ use: plain, params: { label: 5 } }] } }',
      ),
      '8:79 strategy.params.windows[0].params.label: a number where text was expected',
    ],
    [
      'an unknown strategy',
      changed('use: plain', 'use: plian'),
      '8:18 strategy.use: no strategy of this name; did you mean plain?; there are careless, misbehaving, no-strategy, plain, wrapping; a path to a file would be right too',
    ],
    [
      'a strategy that wraps itself',
      changed(
        '{ use: plain, params: { halfSpreadBps: 60 } }',
        '{ use: wrapping, params: { windows: [{ use: wrapping, params: { windows: [] } }] } }',
      ),
      '8:55 strategy.params.windows[0].use: wrapping wraps itself; name another strategy',
    ],
    [
      'a path without a file',
      changed('use: plain', 'use: ./mine.ts'),
      '8:18 strategy.use: there is no file ./mine.ts; a path relative to the configuration file would be right',
    ],
    [
      'a file without a strategy',
      changed('use: plain', 'use: no-strategy'),
      "8:18 strategy.use: its file has no strategy as default export; 'export default defineStrategy({ name, params, init, quote })' would be right",
    ],
    [
      'a key in plain text',
      changed('!env MIZANI_API_KEY', 'mm_live_4f9a8b7c6d5e'),
      `6:11 venue.apiKey: ${PLAIN}`,
    ],
    ['a number as a key', changed('!env MIZANI_API_KEY', '123456'), `6:11 venue.apiKey: ${PLAIN}`],
    ['a list as a key', changed('!env MIZANI_API_KEY', '[abc]'), `6:11 venue.apiKey: ${PLAIN}`],
    ['a token in plain text', changed('!env MIZANI_HTTP_TOKEN', 'letmein'), `14:45 http.token: ${PLAIN}`],
    [
      'a tag where there is no secret',
      changed('name: desk-1', 'name: !env NAME'),
      '1:12 name: !env is for secrets only (venue.apiKey, http.token, rfq.rpc.urls, rfq.signer, store.postgres, notify, alert, treasury); write the value itself',
    ],
    [
      'an unknown tag',
      changed('name: desk-1', 'name: !vault x'),
      '1:7 (file): an unknown tag; only !env NAME and !file PATH are known, for secrets',
    ],
    [
      'a variable that is not set',
      changed('MIZANI_API_KEY', 'MY_KEY'),
      '6:16 venue.apiKey: environment variable MY_KEY is not set; set it to the secret, or use !file PATH',
    ],
    [
      'a token that is named and not set',
      changed('MIZANI_HTTP_TOKEN', 'MY_TOKEN'),
      '14:50 http.token: environment variable MY_TOKEN is not set; set it to the secret, or use !file PATH',
    ],
    [
      'a secret file that is not there',
      changed('!env MIZANI_API_KEY', '!file ./nowhere'),
      '6:17 venue.apiKey: the file that !file names cannot be read (ENOENT); give the path of a readable file',
    ],
    [
      'an amount with words',
      changed('maxLossTzs: null', 'maxLossTzs: 1e6'),
      '10:65 risk.maxLossTzs: "1e6" is not a plain decimal number; a decimal number from 0 up, with at most 36 decimals, would be right',
    ],
    [
      'a negative amount',
      changed('maxLossTzs: null', 'maxLossTzs: -5'),
      '10:65 risk.maxLossTzs: an amount below zero; a decimal number from 0 up, with at most 36 decimals, would be right',
    ],
    [
      'a base URL with a password',
      changed('http://127.0.0.1:8787 ', 'http://me:pw@127.0.0.1 '),
      '4:12 venue.baseUrl: not a base URL; http(s)://host[:port], without a user, a query or a fragment, would be right',
    ],
    [
      'withdrawals to nowhere',
      `${VALID}withdraw: { enabled: true }\n`,
      '16:1 withdraw.destinations: withdrawals are enabled but nowhere allowed; list the addresses that may receive',
    ],
    [
      'a key given twice',
      `${VALID}mode: dry-run\n`,
      '16:1 (file): this key was set before in the same mapping; keep one of them',
    ],
    [
      'a tab as indentation',
      changed('  requestsPerMinute', '\trequestsPerMinute'),
      '7:1 (file): a tab in the indentation; indent with spaces',
    ],
    [
      'an open brace',
      changed('log: { level: info }', 'log: { level: info'),
      '16:1 (file): the indentation fits nothing above it; line it up with its neighbours, or close the brace or quote above',
    ],
    [
      'two documents',
      `${VALID}---\nname: other\n`,
      '16:1 (file): a second document begins here; one file holds one configuration, leave out the "---"',
    ],
    [
      'an alias of nothing',
      changed('name: desk-1', 'name: *desk'),
      '1:7 name: an alias without an anchor; set &name before *name',
    ],
    ['a key that is no word', `${VALID}1: x\n`, '16:1 (file): a key must be a plain word; put it in quotes'],
    [
      'a key that JavaScript minds',
      `${VALID}__proto__: { a: 1 }\n`,
      '16:1 __proto__: unknown key; known here: name, mode, isolate, venue, strategy, inventory, risk, quote, activation, pacing, store, http, guard, log, withdraw, calibration, challenger, record, backtest, drills, rfq, chain, feeds, fairValue, notify, alert, treasury, close',
    ],
    [
      'an empty file',
      '',
      '1:1 (file): the file is empty; a configuration with name, venue and strategy would be right',
    ],
    [
      'only comments',
      '# nothing\n',
      '1:1 (file): the file is empty; a configuration with name, venue and strategy would be right',
    ],
    ['a list', '- a\n- b\n', '1:1 (file): the file is not a mapping; lines of "key: value" would be right'],
    ['a word', 'hello', '1:1 (file): the file is not a mapping; lines of "key: value" would be right'],
    [
      'a huge file',
      `# ${'x'.repeat(1_000_000)}`,
      '1:1 (file): 1000002 bytes; a configuration file of at most 1000000 bytes would be right',
    ],
  ]
  test.each(rows)('%s', async (_claim, text, problem) => {
    const problems = await problemsOf(text)
    expect(problems).toEqual(expect.arrayContaining([problem]))
  })
})
