const LOOPBACK = /^(localhost|::1|\[::1\]|(::ffff:)?127(\.\d{1,3}){3})$/i

/** Returns whether a host, as written in a configuration or a Host header, is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}
