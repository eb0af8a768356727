import { EnvHttpProxyAgent, ProxyAgent } from 'undici'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the variable that names the https proxy, and its value; null = no proxy. */
function proxyVariable(environment: Environment): { readonly name: string; readonly uri: string } | null {
  // Like undici: the lower-case name takes precedence, and an empty value means no proxy.
  const name = environment['https_proxy'] === undefined ? 'HTTPS_PROXY' : 'https_proxy'
  const uri = environment[name] ?? ''
  return uri === '' ? null : { name, uri }
}

/** Returns why the https proxy cannot be used, without its value; null = it is usable or absent. */
export function proxyProblem(environment: Environment): string | null {
  const variable = proxyVariable(environment)
  if (variable === null) return null
  try {
    const { protocol, port } = new URL(variable.uri)
    if ((protocol === 'http:' || protocol === 'https:') && port !== '0') {
      void new ProxyAgent(variable.uri).destroy()
      return null
    }
  } catch {
    // The message could quote a password.
  }
  return `${variable.name} is not the URL of a proxy (its value is not shown, because it may hold a password); write http://HOST:PORT or https://HOST:PORT, with % escapes in a user name and password, or unset it`
}

/**
 * Returns the URL of the proxy for requests to this origin; null = no proxy. undici's own agent decides, so that
 * NO_PROXY has one meaning. Plain http never uses a proxy.
 */
export function proxyFor(origin: string, environment: Environment = process.env): string | null {
  const variable = proxyVariable(environment)
  if (variable === null) return null
  const connect = (): void => undefined
  const noProxy = environment['no_proxy'] ?? environment['NO_PROXY'] ?? ''
  let isDirect = true
  const agent = new EnvHttpProxyAgent({
    httpProxy: '',
    httpsProxy: variable.uri,
    noProxy,
    connect,
    factory(_origin, options) {
      // Only an agent for a proxy replaces the connector.
      isDirect = (options as { readonly connect?: unknown }).connect === connect
      throw new Error('nothing is sent')
    },
  })
  agent.dispatch({ origin, path: '/', method: 'GET' }, { onResponseError: () => undefined })
  return isDirect ? null : variable.uri
}
