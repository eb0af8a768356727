import { describe, expect, test } from 'vitest'
import { findTools, missingTools } from '../../../../bench/peers/tools.ts'

const machine = (programs: Readonly<Record<string, string>>) => (program: string) => programs[program] ?? null

describe('the programs that the peers need', () => {
  test('are found, Python under whichever name has version 3.11', () => {
    const tools = findTools(
      machine({ python3: 'Python 3.11.7', cargo: 'cargo 1.95.0', taskset: 'taskset from util-linux' }),
    )
    expect(tools).toEqual({ python: 'python3', cargo: 'cargo', taskset: 'taskset' })
    expect(missingTools(tools)).toEqual([])
  })

  test('a Python of another version counts as missing', () => {
    for (const version of ['Python 3.12.1', 'Python 3.1.1', 'Python 2.7.18'])
      expect(findTools(machine({ python3: version })).python).toBeNull()
  })

  test('without Python 3.11 it is named which peers are not measured and where Python comes from', () => {
    expect(missingTools({ python: null, cargo: 'cargo', taskset: 'taskset' })).toEqual([
      'Python 3.11 is missing: hftbacktest (numba), NautilusTrader and backtesting.py are not measured; install it from https://www.python.org or with pyenv.',
    ])
  })

  test('without cargo it is named that the crate is not measured and where cargo comes from', () => {
    expect(missingTools({ python: 'python3.11', cargo: null, taskset: 'taskset' })).toEqual([
      "cargo is missing: hftbacktest's Rust crate is not measured; install it from https://rustup.rs.",
    ])
  })

  test('on a machine with nothing three sentences come', () => {
    expect(missingTools(findTools(() => null))).toHaveLength(3)
  })
})
