import { useEffect, useState } from 'preact/hooks'
import { type ApiFailure, askApi } from './ask-api.ts'

/** The latest answer of the API, and how the newest request failed. */
type Polled<T> = {
  /** Null = no answer yet. */
  readonly value: T | null
  /** Null = the newest request succeeded. */
  readonly failure: ApiFailure | null
}

/** Polls an answer of the API, `everyMs` after each answer or failure; `refresh` polls at once. */
export function usePolled<T>(path: string, everyMs: number): Polled<T> & { readonly refresh: () => void } {
  const [state, setState] = useState<Polled<T>>({ value: null, failure: null })
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    let isOpen = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      const answer = await askApi<T>(path)
      if (!isOpen) return
      if (answer.ok) setState({ value: answer.value, failure: null })
      else setState(({ value }) => ({ value, failure: answer.error }))
      timer = setTimeout(() => void ask(), everyMs)
    }
    void ask()
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [path, everyMs, asked])
  return { ...state, refresh: () => setAsked((count) => count + 1) }
}
