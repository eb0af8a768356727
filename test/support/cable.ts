import { execFileSync } from 'node:child_process'

/** What goes one way over a cable: while it is lost, the other direction passes, and no sender is told. */
export type OneWay = { readonly lose: () => void; readonly heal: () => void }

/** A network of its own for processes under test, and the cable between it and this one. */
export type Cable = {
  /** For `ip netns exec`. */
  readonly space: string
  /** The address of this end, and of the end in the network. */
  readonly here: string
  readonly there: string
  /** From here to there, and back. */
  readonly outward: OneWay
  readonly inward: OneWay
  /** Both ways at once, as a cable that is pulled: what is under way is lost, and nobody is told. */
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

/** Where nobody is: what is sent to it goes onto the cable, and no card at the other end takes it. */
const NOBODY = '02:00:00:00:00:01'

/** One end of a cable: a network (null = this one), its card there, and the address that it is reached at. */
type End = { readonly space: string | null; readonly card: string; readonly address: string }

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
  const near: End = { space: null, card: outer, address: here }
  const far: End = { space, card: inner, address: there }
  const inward = oneWay(far, near)
  inward.heal()
  return {
    space,
    here,
    there,
    outward: oneWay(near, far),
    inward,
    cut: () => void ip('link', 'set', outer, 'down'),
    heal: () => void ip('link', 'set', outer, 'up'),
    remove() {
      // The other end of the cable goes with it.
      ip('link', 'del', outer)
      ip('netns', 'del', space)
    },
  }
}

/**
 * A second cable, between the networks of two: each reaches the other one at its `there`, without this one between them. It goes
 * with them.
 */
export function layBetween(a: Cable, b: Cable): { readonly toFirst: OneWay; readonly toSecond: OneWay } {
  const [cardOfA, cardOfB] = [`mza${a.space.slice(3)}`, `mzb${a.space.slice(3)}`]
  ip('-n', a.space, 'link', 'add', cardOfA, 'type', 'veth', 'peer', 'name', cardOfB, 'netns', b.space)
  const first: End = { space: a.space, card: cardOfA, address: a.there }
  const second: End = { space: b.space, card: cardOfB, address: b.there }
  for (const { space, card } of [first, second]) ip(...inSpace(space), 'link', 'set', card, 'up')
  const ways = { toFirst: oneWay(second, first), toSecond: oneWay(first, second) }
  for (const [from, to] of [
    [first, second],
    [second, first],
  ] as const)
    ip(...inSpace(from.space), 'route', 'add', to.address, 'dev', from.card)
  for (const way of [ways.toFirst, ways.toSecond]) way.heal()
  return ways
}

/** Its neighbour is known for good: packets get lost on the way, and do not wait at the sender for an address. */
function oneWay(from: End, to: End): OneWay {
  const [card] = JSON.parse(String(ip(...inSpace(to.space), '-j', 'link', 'show', to.card))) as [
    { readonly address: string },
  ]
  const sendTo = (lladdr: string) =>
    void ip(
      ...inSpace(from.space),
      'neigh',
      'replace',
      to.address,
      'lladdr',
      lladdr,
      'dev',
      from.card,
      'nud',
      'permanent',
    )
  return { lose: () => sendTo(NOBODY), heal: () => sendTo(card.address) }
}

function inSpace(space: string | null): readonly string[] {
  return space === null ? [] : ['-n', space]
}
