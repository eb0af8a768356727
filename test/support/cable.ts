import { execFileSync } from 'node:child_process'

/** A network of its own for processes under test, and the cable between it and this one. */
export type Cable = {
  /** For `ip netns exec`. */
  readonly space: string
  /** The address of this end, and of the end in the network. */
  readonly here: string
  readonly there: string
  /** Both ways at once, as a cable that is pulled: what is under way is lost, and nobody is told. */
  readonly cut: () => void
  readonly heal: () => void
  readonly remove: () => void
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' })
let laid = 0

/** For `test.skipIf`, beside `needs('ip')`: only root makes networks. */
export function cannotLayCable(): boolean {
  const isRoot = process.getuid?.() === 0
  if (!isRoot) process.stderr.write('skipped: only root makes networks\n')
  return !isRoot
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
  // Its neighbour is known for good: packets get lost on the way, and do not wait here for an address.
  const [cable] = JSON.parse(String(ip('-j', 'link', 'show', outer))) as [{ readonly address: string }]
  ip('-n', space, 'neigh', 'replace', here, 'lladdr', cable.address, 'dev', inner, 'nud', 'permanent')
  return {
    space,
    here,
    there,
    cut: () => void ip('link', 'set', outer, 'down'),
    heal: () => void ip('link', 'set', outer, 'up'),
    remove() {
      // The other end of the cable goes with it.
      ip('link', 'del', outer)
      ip('netns', 'del', space)
    },
  }
}
