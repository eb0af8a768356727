import { execFileSync } from 'node:child_process'

/** A network of its own for processes under test, and the cable between it and this one. */
export type Cable = {
  /** For `ip netns exec`. */
  readonly space: string
  /** The address of this end. */
  readonly here: string
  /** Both ways at once, as a cable that is pulled: what is in flight is lost, and neither end is notified. */
  readonly cut: () => void
  readonly heal: () => void
  readonly remove: () => void
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })
let laid = 0
/** Undefined = not tried yet. */
let refusal: string | null | undefined

/**
 * For `test.skipIf`, after `needs('ip')` and as that: true where no network can be made here, with the reason, once per test file.
 * With CI=true it throws instead.
 */
export function cannotLayCable(): boolean {
  if (refusal !== undefined) return refusal !== null
  refusal = whyNoNetwork()
  if (refusal === null) return false
  const words = `a network of its own cannot be made here (${refusal}): root and CAP_SYS_ADMIN are needed`
  if (process.env['CI'] === 'true') throw new Error(`CI=true allows no skipping: ${words}`)
  process.stderr.write(`skipped: ${words}\n`)
  return true
}

/** Null = one was made. */
function whyNoNetwork(): string | null {
  const probe = `mznp${process.pid}`
  try {
    ip('netns', 'add', probe)
  } catch (error) {
    return String((error as { readonly stderr?: Buffer }).stderr).trim()
  }
  ip('netns', 'del', probe)
  return null
}

/** Names and addresses of its own, so that two runs on one machine do not meet; `remove` it when the test is over. */
export function layCable(): Cable {
  const id = (process.pid + 7_919 * laid++) % 60_000
  const [space, outer, inner] = [`mzn${id}`, `mzo${id}`, `mzi${id}`]
  const net = `10.${200 + (id >> 14)}.${(id >> 6) & 255}`
  const first = (id & 63) * 4
  const [here, there] = [`${net}.${first + 1}`, `${net}.${first + 2}`]
  ip('netns', 'add', space)
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', space)
  ip('addr', 'add', `${here}/30`, 'dev', outer)
  ip('link', 'set', outer, 'up')
  ip('-n', space, 'addr', 'add', `${there}/30`, 'dev', inner)
  ip('-n', space, 'link', 'set', inner, 'up')
  ip('-n', space, 'link', 'set', 'lo', 'up')
  const [{ address }] = JSON.parse(String(ip('-j', 'link', 'show', outer))) as [{ readonly address: string }]
  // The neighbour is known for good: packets get lost on the cable, and do not wait at the sender for an address.
  ip('-n', space, 'neigh', 'replace', here, 'lladdr', address, 'dev', inner, 'nud', 'permanent')
  return {
    space,
    here,
    cut: () => void ip('link', 'set', outer, 'down'),
    heal: () => void ip('link', 'set', outer, 'up'),
    remove() {
      // The other end of the cable goes with it.
      ip('link', 'del', outer)
      ip('netns', 'del', space)
    },
  }
}
