import { useEffect, useState } from 'preact/hooks'
import type { TreasuryView } from '../../../view/treasury-view.ts'
import { askApi, query } from '../live/ask-api.ts'

/** The treasury of a position as the daemon answers. */
export type ShownTreasury = TreasuryView & {
  readonly position: string
  readonly approvers: readonly string[]
}

export type TreasuryState = {
  /** The last one that came; null = none yet. */
  readonly view: ShownTreasury | null
  /** Why there is none, or why it is old; null = it is fresh. */
  readonly problem: string | null
  readonly isMissing: boolean
}

const EVERY_MS = 3_000

/** The treasury of a position, anew every few seconds; `refresh` asks at once. */
export function useTreasury(position: string): TreasuryState & { readonly refresh: () => void } {
  const [state, setState] = useState<TreasuryState>({ view: null, problem: null, isMissing: false })
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    let isOpen = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      const answer = await askApi<ShownTreasury>(`treasury${query({ position })}`)
      if (!isOpen) return
      if (answer.ok) setState({ view: answer.value, problem: null, isMissing: false })
      else {
        const { message, status } = answer.error
        setState(({ view }) => ({ view, problem: message, isMissing: status === 404 }))
      }
      timer = setTimeout(() => void ask(), EVERY_MS)
    }
    void ask()
    return () => {
      isOpen = false
      clearTimeout(timer)
    }
  }, [position, asked])
  return { ...state, refresh: () => setAsked((count) => count + 1) }
}
