import type { Answer } from '../api/request.ts'

const PAGE =
  '<!DOCTYPE html><html lang="en"><head><title>404: This page could not be found.</title></head><body><h1>404</h1><h2>This page could not be found.</h2></body></html>'
const NOT_FOUND_PAGE: Answer = {
  status: 404,
  body: null,
  rawBody: PAGE,
  headers: { 'content-type': 'text/html; charset=utf-8' },
}

/**
 * Answers a request without a route, before any check of the key. The answer 405 does not list the allowed methods; that to OPTIONS does.
 */
export function unroutedAnswer(method: string, methods: readonly string[]): Answer {
  if (methods.length === 0) return NOT_FOUND_PAGE
  if (method !== 'OPTIONS') return { status: 405, body: null, rawBody: '' }
  const implied = methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS']
  const allow = [...methods, ...implied].toSorted().join(', ')
  return { status: 204, body: null, rawBody: '', headers: { allow } }
}

/** Returns why a key is refused. */
export function keySentence(key: string | null): string {
  if (key === null) return 'Missing or invalid Authorization header. Expected: Bearer <api_key>'
  return key.startsWith('mm_') ? 'Invalid API key' : 'Invalid API key format'
}
