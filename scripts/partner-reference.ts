import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleOf } from '../src/cli/partner/partner-program.ts'
import { flagsOf } from '../src/cli/partner/flags.ts'
import { ENDPOINTS, type EndpointName } from '../src/treasury/api/endpoints.ts'
import { PARTNER_CODES, readCode } from '../src/treasury/api/refusals.ts'
import { DEADLINES_MS } from '../src/treasury/api/settings.ts'
import { tableCell } from './schema-kind.ts'

const ROOT = join(import.meta.dirname, '..')
const NAMES = Object.keys(ENDPOINTS) as EndpointName[]

const HEADING = `# The partner API

<!-- Written by \`node scripts/partner-docs.ts\` from the endpoints themselves; a test compares. -->

The partner API moves value outside of the position: it collects shillings, pays them out, transfers the token, swaps and ramps. Every
endpoint of its contract has a method of the client (\`src/treasury/api/client.ts\`) and a command. The treasury uses the same client.

## Reaching it

The commands take the address and the key from \`PARTNER_URL\` and \`PARTNER_KEY\`, or from \`treasury.partner\` of \`--config\`.
\`mizani partner check\` reports what the key may do, without a request that could move money: capabilities, KYB, test or live, the
allow-list, the ramp's float, the treasury's user, minimums, and a webhook sample that is signed and verified.

A first look at the simulated venue, in two terminals:

\`\`\`sh
npx mizani sandbox --port 4010
PARTNER_URL=http://127.0.0.1:4010 PARTNER_KEY=svc_test_sandbox npx mizani partner check
\`\`\`

## What is guaranteed

- **One request on the wire.** A request that moves money is sent once, whatever becomes of it. Reads by GET are tried three times within
  their deadline, with pauses of 0.5 to 8 s and full jitter; \`Retry-After\` is honoured up to 60 s, a longer one is reported.
- **A live key is named.** Before money moves a command reads the mode of the key from the venue and asks. \`--yes\` skips the question
  with a test key alone; with a live one, or one whose mode the venue does not state, it takes \`--yes --live\`.
- **Three outcomes.** \`answered\`; \`refused\`, with a code and what may be done after it; \`unknown\`, with whether it was sent (\`no\`, \`maybe\`,
  \`yes\`). A command whose payment is unknown ends with exit code 5 and prints what to do.
- **The key is known before the request leaves.** A command prints its Idempotency-Key (128 random bits, or \`--key\`) to stderr first. A venue
  may ignore it: the same command with the same key is then a second payment. A command advises a repetition
  only where the daemon's journal (\`--config\`) has the venue honour keys on this route, or \`treasury.keysHonoured\` names it.
- **A used key is refused.** Where nothing shows that the venue honours keys, a command refuses one under which a payment left before and
  was not refused (exit code 3). It names where to look, and \`--again\` sends the payment. The keys are files in \`partner-keys\` of the store's
  folder, without \`--config\` of \`$XDG_STATE_HOME/mizani\` (default \`~/.local/state/mizani\`).
- **A lost answer is looked for.** Without sending anything the command reads the resource that the answer names, the ramp's list, the
  chain (\`--config\` with \`chain\`) and the balances before and after. One match alone is shown and followed, and ends the command with 0 or 1;
  what is not found proves nothing.
- **Exact amounts.** Shillings are whole numbers; dollars have 6 decimals, the token has 18. Figures are read from the digits as they were
  written; what leaves the pool is rounded down.
- **New words are shown.** A status or code that the contract does not have is \`other(word)\`, never an error and never a failure.
- **One deadline** covers name, connection, headers and body: lookups ${DEADLINES_MS.lookup / 1_000} s, ramp ${DEADLINES_MS.ramp / 1_000} s, reconcile ${DEADLINES_MS.reconcile / 1_000} s, others ${DEADLINES_MS.usual / 1_000} s.
- **No secret in an outcome.** No error holds the key, a header or the request, and a key that the venue echoes is taken out.

## Where the contract leaves a choice

Both spellings of an answer are read. What is sent follows a key of \`treasury.partner\`, which [configuration.md](configuration.md)
has with the others:

| Setting | Default | Other values | What it decides |
|---|---|---|---|
| \`prefix\` | \`/api/v1\` | any path | the contract takes \`/v1\` for the same routes |
| \`shillingSymbol\` | \`auto\` | \`TZS_TOKEN\`, \`NTZS\` | name of the shilling in prices, swaps and transfers; \`auto\` takes the one that the venue lists where it refuses the other |
| \`swapFields\` | \`fromToken\` | \`from\` | names of the tokens in a swap |
| \`attestationFields\` | \`decision\` | \`status\` | the guide's body of an attestation, or the first description's |
| \`rampFields\` | \`tzsAmount\` | \`amount\` | \`tzsAmount\` or \`usdcAmount\` of a ramp quote, or one \`amount\` |
| \`linkSelector\` | \`query\` | \`path\`, \`body\` | how DELETE names a payment link |

Quotes end on our own clock: what remained of them on the venue's when it answered, and at most 5 minutes (payouts, bills), 60 s (ramp) or
30 s (swap).

## Endpoints

`

/** docs/partner-api.md: every endpoint with its command, its file and its tests, then every code of a refusal. */
export function partnerReference(): string {
  const files = filesOfEndpoints()
  const tests = testsOfEndpoints()
  const rows = NAMES.map((name) => {
    const { route, command, isMoney, summary } = ENDPOINTS[name]
    const [file = '', test = ''] = [files.get(name), tests.get(name)?.map(code).join(', ')]
    return `| ${code(route)} | ${code(`${command.resource} ${command.verb}`)} | ${tableCell(summary)}${isMoney ? ' **Money.**' : ''} | ${code(file)} | ${test} |`
  })
  const codes = PARTNER_CODES.map((name) => {
    const { statuses, retry, meaning } = readCode(name)
    return `| ${code(name)} | ${statuses.join(', ')} | ${retry} | ${tableCell(meaning)} |`
  })
  return `${HEADING}${[
    '| Endpoint | `mizani partner` | Does | File | Tests |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')}

## Commands

${NAMES.map(sectionOf).join('\n')}
## Refusals

\`never\`: the request is wrong. \`backoff\`: the same one later. \`verify\`: the resource is read before anything else. On a route that moves money
500, 502 and a 503 without a code are unknown, and \`duplicate_withdrawal\` and \`idempotency_key_used\` are to be verified, because they prove that the venue has seen
the request before. A 401 has no code and is shown as \`unauthorized\`.

| Code | Status | Retry | Meaning |
|---|---|---|---|
${codes.join('\n')}
`
}

function sectionOf(name: EndpointName): string {
  const { route, command, params, needs } = ENDPOINTS[name]
  const flags = flagsOf(params).map(({ name: flag, isRequired, description, choices }) => {
    const words = choices.length === 0 ? '' : ` (${choices.join(', ')})`
    return `- \`--${flag}\`${isRequired ? ', required' : ''}: ${description}${words}\n`
  })
  const about = `${code(route)}${needs === null ? '' : `, capability ${code(needs)}`}.`
  return `### ${command.resource} ${command.verb}\n\n${about}\n\n${flags.join('')}${flags.length === 0 ? '' : '\n'}\`\`\`sh\n${exampleOf(name).slice(2)}\n\`\`\`\n`
}

function code(text: string): string {
  return `\`${text}\``
}

/** Which file an endpoint is written in: what the record of endpoints imports it from. */
function filesOfEndpoints(): ReadonlyMap<string, string> {
  const record = readFileSync(join(ROOT, 'src/treasury/api/endpoints.ts'), 'utf8')
  const imports = record.matchAll(/import \{([^}]+)\} from '\.\/([^']+)'/g)
  return new Map(
    [...imports].flatMap(([, names = '', file = '']) =>
      names.split(',').map((name) => [name.trim(), `src/treasury/api/${file}`] as const),
    ),
  )
}

/** The test files that name an endpoint, those of the contract suite first. */
function testsOfEndpoints(): ReadonlyMap<string, readonly string[]> {
  const patterns = ['test/contract/partner/**/*.test.ts', 'test/unit/treasury/api/**/*.test.ts']
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).toSorted())
  const texts = files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const)
  return new Map(
    NAMES.map((name) => [
      name,
      texts.flatMap(([path, text]) => (new RegExp(`\\b${name}\\b`).test(text) ? [path] : [])).slice(0, 2),
    ]),
  )
}
