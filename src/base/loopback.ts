const LOOPBACK = /^(localhost|::1|\[::1\]|(::ffff:)?127(\.\d{1,3}){3})$/i

/** Returns whether a host, as configurations and Host headers write it, is this machine and nothing else. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}
