import { useEffect, useState } from 'preact/hooks'

export type Currency = 'USD' | 'TZS'
const CURRENCIES = ['USD', 'TZS'] as const
const KEPT = 'mizani-currency'
const CHANGED = 'mizani-currency'

/** Returns the currency in which the page shows PnL, one at a time, and the function that changes it in every panel. */
export function useCurrency(): readonly [Currency, (chosen: Currency) => void] {
  const [currency, setCurrency] = useState(kept)
  useEffect(() => {
    const changed = () => setCurrency(kept())
    addEventListener(CHANGED, changed)
    return () => removeEventListener(CHANGED, changed)
  }, [])
  const choose = (chosen: Currency) => {
    localStorage.setItem(KEPT, chosen)
    dispatchEvent(new Event(CHANGED))
  }
  return [currency, choose]
}

function kept(): Currency {
  return localStorage.getItem(KEPT) === 'TZS' ? 'TZS' : 'USD'
}

/** Switches the currency of every panel. */
export function CurrencySwitch() {
  const [currency, choose] = useCurrency()
  return (
    <span class="switch" role="group" aria-label="Currency">
      {CURRENCIES.map((one) => (
        <button key={one} type="button" aria-pressed={one === currency} onClick={() => choose(one)}>
          {one}
        </button>
      ))}
    </span>
  )
}
